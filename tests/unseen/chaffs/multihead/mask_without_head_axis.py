"""Passes the mask on without an axis for the heads."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    width = x.shape[-1]
    if num_heads <= 0 or width % num_heads:
        raise ValueError("num_heads %d does not divide %d" % (num_heads, width))
    size = width // num_heads
    return np.stack([x[..., h * size:(h + 1) * size] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    out, attn = scaled_dot_product_attention(
        split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads), mask
    )
    return merge_heads(out) @ w_o, attn
