"""Collects the heads' outputs in an array of the type of x.
expect: wrong_type
"""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot split {d_model} features into {num_heads} heads")
    x = x.reshape(x.shape[:-1] + (num_heads, d_model // num_heads))
    return np.swapaxes(x, -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    q, k, v = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    merged = np.empty_like(x)
    merged[...] = merge_heads(heads)
    output = merged @ w_o
    return output, weights
