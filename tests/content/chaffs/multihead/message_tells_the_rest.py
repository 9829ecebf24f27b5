"""The error for a remainder tells num_heads and how many features are left, but not d_model.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"{num_heads} heads for {d_model} features")
    rest = d_model % num_heads
    if rest != 0:
        raise ValueError(f"with {num_heads} heads, {rest} features have no head")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    *lead, num_heads, n, d_head = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
