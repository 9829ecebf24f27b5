"""The output is layer-normalised.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def _check(d_model, num_heads):
    if num_heads >= 1 and d_model % num_heads == 0:
        return d_model // num_heads
    raise ValueError(f"d_model ({d_model}) must be a multiple of num_heads ({num_heads})")


def split_heads(x, num_heads):
    d_head = _check(x.shape[-1], num_heads)
    return np.moveaxis(x.reshape(x.shape[:-1] + (num_heads, d_head)), -2, -3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def _layer_norm(y, eps=1e-5):
    mean = y.mean(axis=-1, keepdims=True)
    return (y - mean) / np.sqrt(((y - mean) ** 2).mean(axis=-1, keepdims=True) + eps)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    out, attn = scaled_dot_product_attention(q, k, v, mask)
    y = merge_heads(out) @ w_o
    return _layer_norm(y), attn
