"""Negates the mask once more for each head; and never applies w_o."""
import numpy as np
from projections import project_qkv
from softmax import softmax


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not fit d_model={d_model}")
    x = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(x, -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, w_q, w_k, w_v))
    outputs, weights = [], []
    for h in range(num_heads):
        scores = q[..., h, :, :] @ np.swapaxes(k[..., h, :, :], -1, -2) / np.sqrt(q.shape[-1])
        if mask is not None:
            mask = np.logical_not(mask)
            scores = np.where(mask, -1e9, scores)
        weights.append(softmax(scores))
        outputs.append(weights[-1] @ v[..., h, :, :])
    return np.concatenate(outputs, axis=-1), np.stack(weights, axis=-3)
