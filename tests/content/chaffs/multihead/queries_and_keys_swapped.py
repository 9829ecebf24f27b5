"""The queries are made with w_k and the keys with w_q.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot cut {d_model} features into {num_heads} heads")
    return x.reshape(*lead, n, num_heads, d_model // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    k, q, v = project_qkv(x, w_q, w_k, w_v)
    q, k, v = map(lambda t: split_heads(t, num_heads), (q, k, v))
    if mask is not None:
        mask = mask[..., None, :, :]
    z, a = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(z) @ w_o, a
