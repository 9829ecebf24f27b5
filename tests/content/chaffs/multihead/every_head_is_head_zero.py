"""In the loop every head reads the features of the first head.
expect: wrong_value
"""
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
    outs, ws = [], []
    for h in range(num_heads):
        i = 0
        o, w = scaled_dot_product_attention(q[..., i, :, :], k[..., i, :, :], v[..., i, :, :], mask)
        outs.append(o)
        ws.append(w)
    return np.concatenate(outs, axis=-1) @ w_o, np.stack(ws, axis=-3)
