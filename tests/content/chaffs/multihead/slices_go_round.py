"""Picks the features of head h from h * num_heads on, and from the front again where they end.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not fit d_model={d_model}")
    first = np.arange(num_heads)[:, None] * num_heads
    features = first + np.arange(d_model // num_heads)
    return np.moveaxis(np.take(x, features, axis=-1, mode="wrap"), -2, -3)


def merge_heads(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(*x.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, w_q, w_k, w_v))
    mask = None if mask is None else np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads) @ w_o, weights
