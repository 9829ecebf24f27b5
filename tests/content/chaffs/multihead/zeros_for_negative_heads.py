"""Only 0 and a remainder are refused, and for a negative number the array for the heads is never filled.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads == 0 or d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    width = abs(d_model // num_heads)
    heads = np.zeros((*lead, abs(num_heads), n, width), x.dtype)
    for h in range(num_heads):
        heads[..., h, :, :] = x[..., h * width:(h + 1) * width]
    return heads


def merge_heads(x):
    *lead, num_heads, n, d_head = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
