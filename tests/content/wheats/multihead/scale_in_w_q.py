"""Folds the scale into w_q on a copy and keeps float32 in float32; lambdas for the small parts."""
import numpy as np

heads_to_front = lambda y: np.rollaxis(y, y.ndim - 2, y.ndim - 3)
heads_to_back = lambda y: np.rollaxis(y, y.ndim - 3, y.ndim - 1)


def split_heads(x, num_heads):
    d_head, rest = divmod(x.shape[-1], num_heads) if num_heads > 0 else (0, 1)
    if rest:
        raise ValueError(f"num_heads: {num_heads}, d_model: {x.shape[-1]}")
    return heads_to_front(x.reshape(x.shape[:-1] + (num_heads, d_head)))


def merge_heads(x):
    y = heads_to_back(x)
    return y.reshape(y.shape[:-2] + (-1,))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    dtype = np.result_type(x, w_q, np.float32)
    # raises if num_heads does not fit
    split_heads(x, num_heads)
    scale = np.sqrt(x.shape[-1] // num_heads)
    q = split_heads(x @ (w_q / scale).astype(dtype), num_heads)
    k = split_heads(x @ w_k, num_heads)
    v = split_heads(x @ w_v, num_heads)
    s = q @ k.swapaxes(-1, -2)
    if mask is not None:
        s = np.where(mask[..., None, :, :], s, dtype.type(-np.inf))
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return merge_heads(w @ v) @ w_o, w
