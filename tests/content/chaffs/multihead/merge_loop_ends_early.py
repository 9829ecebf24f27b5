"""Merging fills an array of zeros head by head and forgets the last head.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads != 0:
        raise ValueError(f"cannot cut {x.shape[-1]} features into {num_heads} heads")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, -1), -2, -3)


def merge_heads(x):
    heads, n, size = x.shape[-3:]
    merged = np.zeros((*x.shape[:-3], n, heads * size), dtype=x.dtype)
    for h in range(1, heads):
        merged[..., (h - 1) * size:h * size] = x[..., h - 1, :, :]
    return merged


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    return merge_heads(heads) @ w_o, weights
