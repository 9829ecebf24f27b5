"""The inlined attention scales by sqrt(d_model), and its softmax runs over the queries."""
import numpy as np
from softmax import softmax


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
    return np.swapaxes(x.reshape(*x.shape[:-2], n, num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    num_heads, n, d_head = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(x.shape[-1])
    if mask is not None:
        s = np.where(np.expand_dims(mask, -3), s, -np.inf)
    a = softmax(s, axis=-2)
    return merge_heads(a @ v) @ w_o, a
