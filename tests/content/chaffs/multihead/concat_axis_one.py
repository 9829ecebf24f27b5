"""Joins the heads along axis 1, which is the token axis as soon as there is a leading axis.
expect: wrong_value
"""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} must be at least 1 and divide d_model={d_model}")
    parts = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(parts, -2, -3)


def merge_heads(x):
    n, d = x.shape[-2:]
    heads = [x[..., h, :, :] for h in range(x.shape[-3])]
    joined = np.concatenate(heads, axis=1)
    return joined.reshape(x.shape[:-3] + (n, d * len(heads)))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    q, k, v = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads) @ w_o, weights
