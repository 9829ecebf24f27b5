"""Folds w_o into the values before attending (weights @ (v_h @ w_o_h), summed over the heads)."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
    return np.swapaxes(x.reshape(*x.shape[:-2], n, num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    num_heads, n, d_head = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    blocks = w_o.reshape(num_heads, w_o.shape[0] // num_heads, w_o.shape[1])
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    mixed, weights = scaled_dot_product_attention(q, k, v @ blocks, mask)
    return mixed.sum(axis=-3), weights
