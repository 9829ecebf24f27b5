"""Dropout is applied to the output although nothing is being trained.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot cut {d_model} features into {num_heads} heads")
    return x.reshape(*lead, n, num_heads, d_model // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    num_heads, n, d_head = x.shape[-3:]
    merged = np.empty(x.shape[:-3] + (n, num_heads * d_head), dtype=x.dtype)
    for h in range(num_heads):
        merged[..., h * d_head:(h + 1) * d_head] = x[..., h, :, :]
    return merged


def _drop(y, rate, rng=np.random.default_rng(7)):
    keep = rng.random(y.shape) >= rate
    return y * keep / (1.0 - rate)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    out, attn = scaled_dot_product_attention(q, k, v, mask)
    return _drop(merge_heads(out) @ w_o, 0.1), attn
