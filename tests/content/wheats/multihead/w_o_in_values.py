"""Multiplies the values by the rows of w_o before attending."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} must be at least 1 and divide d_model={d_model}")
    parts = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(parts, -2, -3)


def merge_heads(x):
    y = np.swapaxes(x, -2, -3)
    return y.reshape(*y.shape[:-2], y.shape[-2] * y.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v))
    mixed = v @ w_o.reshape(num_heads, -1, w_o.shape[1])      # (..., heads, n, d_model)
    m = None if mask is None else np.expand_dims(mask, -3)
    parts, weights = scaled_dot_product_attention(q, k, mixed, m)
    return parts.sum(axis=-3), weights
