"""Splits by reshape alone AND gives the mask no axis for the heads."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} d_model={d_model}")
    return x.reshape(*lead, num_heads, n, d_model // num_heads)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads) @ w_o, weights
