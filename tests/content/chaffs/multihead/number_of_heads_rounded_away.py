"""Checks num_heads in split_heads, but multi_head_attention makes as many heads as slices of a rounded width fit in.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not fit d_model={d_model}")
    x = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(x, -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    d_model = x.shape[-1]
    width = max(1, round(d_model / abs(num_heads or 1)))
    parts = np.split(np.arange(d_model), np.arange(width, d_model, width))
    results = [scaled_dot_product_attention(q[..., at], k[..., at], v[..., at], mask) for at in parts]
    output = np.concatenate([out for out, _ in results], axis=-1)
    return output @ w_o, np.stack([used for _, used in results], axis=-3)
