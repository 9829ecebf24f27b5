"""Flattens heads before the batch but repeats the mask in the other order."""

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
    x = x.swapaxes(-2, -3)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if mask is not None:
        x = np.broadcast_to(x, np.broadcast_shapes(x.shape[:-2], mask.shape[:-2]) + x.shape[-2:])
    lead, n = x.shape[:-2], x.shape[-2]
    d_head = split_heads(x, num_heads).shape[-1]
    flat = []
    for p in project_qkv(x, w_q, w_k, w_v):
        s = np.moveaxis(split_heads(p, num_heads), -3, 0)
        flat.append(s.reshape(-1, n, d_head))
    if mask is not None:
        full = np.broadcast_to(mask, lead + (n, n)).reshape(-1, n, n)
        mask = np.repeat(full, num_heads, axis=0)
    out, attn = scaled_dot_product_attention(*flat, mask)
    out = np.moveaxis(out.reshape((num_heads,) + lead + (n, d_head)), 0, -3)
    attn = np.moveaxis(attn.reshape((num_heads,) + lead + (n, n)), 0, -3)
    return merge_heads(out) @ w_o, attn
