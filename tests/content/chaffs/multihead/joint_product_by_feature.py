"""Multiplies with all three matrices at once and takes every third column for the queries.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{d_model} features do not make {num_heads} heads")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    joint = x @ np.concatenate([w_q, w_k, w_v], axis=1)
    q, k, v = (split_heads(joint[..., at::3], num_heads) for at in range(3))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
