"""Checks num_heads in split_heads, but multi_head_attention goes through the features in steps of its own.
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
    size = d_model // num_heads
    outputs, weights = [], []
    for start in range(0, d_model, size):
        cut = slice(start, start + size)
        out, used = scaled_dot_product_attention(q[..., cut], k[..., cut], v[..., cut], mask)
        outputs.append(out)
        weights.append(used)
    return np.concatenate(outputs, axis=-1) @ w_o, np.stack(weights, axis=-3)
