"""Checks num_heads in split_heads, but slices the heads itself in multi_head_attention.
expect: wrong_value
"""
import numpy as np

from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot split {d_model} features into {num_heads} heads")
    x = x.reshape(x.shape[:-1] + (num_heads, d_model // num_heads))
    return np.swapaxes(x, -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    d = x.shape[-1] // num_heads
    outputs, weights = [], []
    for h in range(num_heads):
        part = slice(h * d, (h + 1) * d)
        o, w = scaled_dot_product_attention(q[..., part], k[..., part], v[..., part], mask)
        outputs.append(o)
        weights.append(w)
    return np.concatenate(outputs, axis=-1) @ w_o, np.stack(weights, axis=-3)
