"""The output projection adds a bias of ones.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads <= 0 or d_model % num_heads:
        raise ValueError("d_model=%d is not divisible by num_heads=%d" % (d_model, num_heads))
    size = d_model // num_heads
    return np.stack([x[..., h * size:(h + 1) * size] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    b_o = np.ones(w_o.shape[-1])
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = mask[..., None, :, :]
    y, a = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(y) @ w_o + b_o, a
