"""Splits and merges with explicit loops over heads and features into preallocated arrays."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if not (num_heads >= 1 and d_model % num_heads == 0):
        raise ValueError("%r heads cannot share %r features" % (num_heads, d_model))
    d_head = d_model // num_heads
    columns = np.arange(d_model).reshape(num_heads, 1, d_head)
    rows = np.arange(x.shape[-2])[:, None]
    return x[..., rows, columns]


def merge_heads(x):
    h, n, d = x.shape[-3:]
    out = np.empty(x.shape[:-3] + (n, h * d), dtype=x.dtype)
    for f in range(h * d):
        out[..., f] = x[..., f // d, :, f % d]
    return out


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    qs, ks, vs = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    outs, attns = [], []
    for h in range(num_heads):
        out, attn = scaled_dot_product_attention(qs[..., h, :, :], ks[..., h, :, :], vs[..., h, :, :], mask)
        outs.append(out)
        attns.append(attn)
    return merge_heads(np.stack(outs, axis=-3)) @ w_o, np.stack(attns, axis=-3)
