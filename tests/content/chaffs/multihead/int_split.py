"""split_heads copies into an integer array and truncates the features.
expect: wrong_type
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
    d_head = d_model // num_heads
    out = np.zeros((*lead, num_heads, n, d_head), dtype=int)
    for h in range(num_heads):
        out[..., h, :, :] = x[..., h * d_head:(h + 1) * d_head]
    return out


def merge_heads(x):
    num_heads, n, d_head = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads) @ w_o, weights
