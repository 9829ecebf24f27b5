"""Each head takes strided instead of neighbouring features in split_heads."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    width = x.shape[-1]
    if num_heads <= 0 or width % num_heads:
        raise ValueError("num_heads %d does not divide %d" % (num_heads, width))
    return np.stack([x[..., h::num_heads] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    parts = [split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v)]
    shared = None if mask is None else np.expand_dims(mask, axis=-3)
    context, attn = scaled_dot_product_attention(*parts, mask=shared)
    return np.matmul(merge_heads(context), w_o), attn
