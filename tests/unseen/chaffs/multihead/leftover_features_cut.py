"""Drops the leftover features silently when the heads do not divide them."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"num_heads={num_heads} for d_model={d_model}")
    d_head = d_model // num_heads
    parts = [x[..., h * d_head:(h + 1) * d_head] for h in range(num_heads)]
    return np.stack(parts, axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    shared = None if mask is None else np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, shared)
    merged = merge_heads(heads)
    return merged @ w_o[:merged.shape[-1]], weights
