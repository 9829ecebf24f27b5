"""Flattens the leading axes and the heads to one axis and tiles the mask to match."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot cut d_model={d_model} into num_heads={num_heads}")
    x = x.reshape(x.shape[:-1] + (num_heads, d_model // num_heads))
    return x.swapaxes(-2, -3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if mask is not None:
        x = np.broadcast_to(x, np.broadcast_shapes(x.shape[:-2], mask.shape[:-2]) + x.shape[-2:])
    lead, (n, d_model) = x.shape[:-2], x.shape[-2:]
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    d = d_model // num_heads
    if mask is not None:
        full = np.broadcast_to(mask, lead + (n, n)).reshape(-1, n, n)
        mask = np.repeat(full, num_heads, axis=0)
    o, a = scaled_dot_product_attention(q.reshape(-1, n, d), k.reshape(-1, n, d), v.reshape(-1, n, d), mask)
    o = o.reshape(lead + (num_heads, n, d))
    return merge_heads(o) @ w_o, a.reshape(lead + (num_heads, n, n))
