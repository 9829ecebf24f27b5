"""All heads get the mean of the heads' keys, and of their values.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model is {d_model}, num_heads is {num_heads}")
    return np.moveaxis(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    k = k.mean(axis=-3, keepdims=True)
    v = v.mean(axis=-3, keepdims=True)
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
