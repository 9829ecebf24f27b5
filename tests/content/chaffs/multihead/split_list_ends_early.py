"""Splitting collects all slices but the last one.
expect: wrong_shape
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads}, d_model={d_model}")
    size = d_model // num_heads
    return np.stack([x[..., at:at + size] for at in range(0, d_model - size, size)], axis=-3)


def merge_heads(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    return merge_heads(heads) @ w_o, weights
