"""The attention is always computed with two heads.
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
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    _check(x.shape[-1], num_heads)
    heads = 2 if x.shape[-1] % 2 == 0 else 1
    q, k, v = (split_heads(p, heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = mask[..., None, :, :]
    y, a = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(y) @ w_o, a
