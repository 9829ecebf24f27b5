"""The list for the outputs holds one array many times, so all heads have the output of the last one.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model = {d_model} and num_heads = {num_heads} do not go together")
    return x.reshape(*x.shape[:-1], num_heads, d_model // num_heads).swapaxes(-2, -3)


def merge_heads(x):
    heads, n, size = x.shape[-3:]
    return x.swapaxes(-2, -3).reshape(*x.shape[:-3], n, heads * size)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    outputs = num_heads * [np.empty(np.shape(v[..., 0, :, :]))]
    weights = np.empty((*q.shape[:-1], q.shape[-2]))
    for h, output in enumerate(outputs):
        output[:], weights[..., h, :, :] = scaled_dot_product_attention(
            q[..., h, :, :], k[..., h, :, :], v[..., h, :, :], mask
        )
    return np.concatenate(outputs, axis=-1) @ w_o, weights
