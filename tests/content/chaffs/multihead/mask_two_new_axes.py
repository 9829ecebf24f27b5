"""The mask gets two new axes in front, which is wrong once it has leading axes.
expect: wrong_shape
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def _check(d_model, num_heads):
    if num_heads >= 1 and d_model % num_heads == 0:
        return d_model // num_heads
    raise ValueError(f"d_model ({d_model}) must be a multiple of num_heads ({num_heads})")


def split_heads(x, num_heads):
    d_head = _check(x.shape[-1], num_heads)
    return np.moveaxis(x.reshape(x.shape[:-1] + (num_heads, d_head)), -2, -3)


def merge_heads(x):
    num_heads, n, d_head = x.shape[-3:]
    merged = np.empty(x.shape[:-3] + (n, num_heads * d_head), dtype=x.dtype)
    for h in range(num_heads):
        merged[..., h * d_head:(h + 1) * d_head] = x[..., h, :, :]
    return merged


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = mask[None, None]
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads) @ w_o, weights
