"""Asks only whether num_heads is 0 or leaves a rest; for -2 the loop makes no head, and an empty array comes back.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if not num_heads or d_model % num_heads:
        raise ValueError(f"{num_heads} does not divide {d_model}")
    size = d_model // abs(num_heads)
    heads = np.empty((max(num_heads, 0), *x.shape[:-1], size), dtype=x.dtype)
    for h in range(num_heads):
        heads[h] = x[..., h * size:(h + 1) * size]
    return np.moveaxis(heads, 0, -3)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    return merge_heads(heads) @ w_o, weights
