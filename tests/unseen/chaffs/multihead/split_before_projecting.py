"""Cuts x into heads first and projects each slice with the matching block of the matrices."""

import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    width = x.shape[-1]
    if num_heads <= 0 or width % num_heads:
        raise ValueError("num_heads %d does not divide %d" % (num_heads, width))
    size = width // num_heads
    return np.stack([x[..., h * size:(h + 1) * size] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    xs = split_heads(x, num_heads)
    d = xs.shape[-1]
    outs, attns = [], []
    for h in range(num_heads):
        s = slice(h * d, (h + 1) * d)
        xh = xs[..., h, :, :]
        o, a = scaled_dot_product_attention(xh @ w_q[s, s], xh @ w_k[s, s], xh @ w_v[s, s], mask)
        outs.append(o)
        attns.append(a)
    return np.concatenate(outs, axis=-1) @ w_o, np.stack(attns, axis=-3)
