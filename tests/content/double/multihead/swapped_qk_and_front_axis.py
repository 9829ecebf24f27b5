"""Hands w_k over as the query matrix and w_q as the key matrix; stacks the weights with the heads in front of the leading axes."""

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
    heads, n, size = x.shape[-3:]
    return np.moveaxis(x, -3, -2).reshape(x.shape[:-3] + (n, heads * size))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_k, w_q, w_v))
    m = None if mask is None else mask[..., None, :, :]
    o, w = scaled_dot_product_attention(q, k, v, m)
    return merge_heads(o) @ w_o, np.moveaxis(w, -3, 0)
