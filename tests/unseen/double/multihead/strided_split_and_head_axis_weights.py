"""Heads take strided features AND the weights have the heads behind the queries."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads}, d_model={d_model}")
    return np.moveaxis(x.reshape(*lead, n, d_model // num_heads, num_heads), -1, -3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    shared = None if mask is None else np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, shared)
    return merge_heads(heads) @ w_o, np.swapaxes(weights, -3, -2)
