"""An input with a batch is read as (n, batch, d_model), the way some libraries want it.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model {d_model} over num_heads {num_heads} leaves a rest")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if x.ndim == 3:
        x = x.transpose(1, 0, 2)
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    output = merge_heads(heads) @ w_o
    if output.ndim == 3:
        output = output.transpose(1, 0, 2)
    return output, weights
