"""Forgets the last matrix AND ignores the mask."""

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
    x = x.swapaxes(-2, -3)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v)
    return merge_heads(heads), weights
