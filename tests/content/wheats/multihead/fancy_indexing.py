"""Heads are split and merged by index arrays."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if not (num_heads >= 1 and d_model % num_heads == 0):
        raise ValueError("d_model = " + str(d_model) + ", num_heads = " + str(num_heads))
    columns = np.arange(d_model).reshape(num_heads, d_model // num_heads)
    return np.moveaxis(x[..., columns], -3, -2)


def merge_heads(x):
    h, n, d = x.shape[-3:]
    return np.stack([x[..., f // d, :, f % d] for f in range(h * d)], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    outs, maps = [], []
    for h in range(num_heads):
        o, a = scaled_dot_product_attention(q[..., h, :, :], k[..., h, :, :], v[..., h, :, :], mask)
        outs.append(o)
        maps.append(a)
    merged = merge_heads(np.stack(outs, axis=-3))
    return np.matmul(merged, w_o), np.stack(maps, axis=-3)
