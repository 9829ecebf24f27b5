"""Two heads at a time share the keys and values of one.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"no {num_heads} heads in {d_model} features")
    return x.reshape(*x.shape[:-1], num_heads, d_model // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    heads, n, size = x.shape[-3:]
    return x.swapaxes(-3, -2).reshape(*x.shape[:-3], n, heads * size)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    outputs, weights = [], []
    for h in range(num_heads):
        shared = h // 2
        out, w = scaled_dot_product_attention(q[..., h, :, :], k[..., shared, :, :], v[..., shared, :, :], mask)
        outputs.append(out)
        weights.append(w)
    return merge_heads(np.stack(outputs, axis=-3)) @ w_o, np.stack(weights, axis=-3)
