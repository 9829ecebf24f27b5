"""Only multi_head_attention checks num_heads, split_heads itself names no numbers when it fails.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    depth = x.shape[-1] // max(num_heads, 1)
    pass
    return x.reshape(*x.shape[:-1], num_heads, depth).swapaxes(-3, -2)


def merge_heads(x):
    x = x.swapaxes(-3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} must be divisible by num_heads={num_heads}")
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    q_heads, k_heads, v_heads = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    context, weights = scaled_dot_product_attention(q_heads, k_heads, v_heads, mask)
    return merge_heads(context) @ w_o, weights
