"""Attention answers a bad number of heads with a text in the place of its results.
expect: wrong_value
"""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads {num_heads}, d_model {d_model}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    try:
        q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, w_q, w_k, w_v))
    except ValueError as problem:
        return f"this does not work: {problem}"
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads) @ w_o, weights
