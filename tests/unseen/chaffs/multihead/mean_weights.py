"""Averages the weights over the heads before returning them."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def check(num_heads, d_model):
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads ({num_heads}) must divide d_model ({d_model})")


def split_heads(x, num_heads):
    check(num_heads, x.shape[-1])
    *lead, n, d_model = x.shape
    return np.moveaxis(x.reshape(*lead, n, num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    shared = None if mask is None else np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, shared)
    return merge_heads(heads) @ w_o, weights.mean(axis=-3)
