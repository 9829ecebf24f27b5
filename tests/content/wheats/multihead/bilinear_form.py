"""The queries and keys of a head are joined to one matrix w_q w_k^T for each head."""

import numpy as np
from softmax import softmax


def _check(d_model, num_heads):
    if num_heads >= 1 and d_model % num_heads == 0:
        return d_model // num_heads
    raise ValueError(f"d_model ({d_model}) must be a multiple of num_heads ({num_heads})")


def split_heads(x, num_heads):
    d_head = _check(x.shape[-1], num_heads)
    return np.moveaxis(x.reshape(x.shape[:-1] + (num_heads, d_head)), -2, -3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d = _check(x.shape[-1], num_heads)
    xt = np.swapaxes(x, -1, -2)
    heads, maps = [], []
    for h in range(num_heads):
        c = slice(h * d, (h + 1) * d)
        joined = w_q[:, c] @ w_k[:, c].T
        scores = x @ joined @ xt / np.sqrt(d)
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        maps.append(softmax(scores))
        heads.append(maps[-1] @ x @ w_v[:, c])
    return np.concatenate(heads, axis=-1) @ w_o, np.stack(maps, axis=-3)
