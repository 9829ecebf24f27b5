"""The mask is asked for (key, query) where it holds (query, key), and hidden scores become very low.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} has to divide d_model={d_model}")
    parts = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(parts, -2, -3)


def merge_heads(x):
    together = np.swapaxes(x, -2, -3)
    return together.reshape(*together.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        for i in range(x.shape[-2]):
            for j in range(x.shape[-2]):
                allowed = mask[..., j, i]
                scores[..., i, j] = np.where(allowed[..., None], scores[..., i, j], -1e9)
    weights = softmax(scores)
    return merge_heads(weights @ v) @ w_o, weights
