"""Hands the ValueError back as a result where it should raise it.
expect: wrong_type
"""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def heads_fit(num_heads, d_model):
    return num_heads >= 1 and d_model % num_heads == 0


def split_heads(x, num_heads):
    *front, n, d_model = x.shape
    if not heads_fit(num_heads, d_model):
        error = ValueError(f"{d_model} features cannot be cut into {num_heads} heads")
        return error
    return np.swapaxes(x.reshape(*front, n, num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    *front, num_heads, n, d_head = x.shape
    return np.swapaxes(x, -2, -3).reshape(*front, n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if not heads_fit(num_heads, x.shape[-1]):
        raise split_heads(x, num_heads)
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, mask if mask is None else mask[..., None, :, :])
    return merge_heads(heads) @ w_o, weights
