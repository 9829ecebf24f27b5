"""Adds the input to the output, as a whole transformer block would."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def check(num_heads, d_model):
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads ({num_heads}) must divide d_model ({d_model})")


def split_heads(x, num_heads):
    check(num_heads, x.shape[-1])
    *lead, n, d_model = x.shape
    return np.moveaxis(x.reshape(*lead, n, num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return x + merge_heads(heads) @ w_o, weights
