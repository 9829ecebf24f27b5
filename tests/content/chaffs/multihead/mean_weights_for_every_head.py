"""The returned weights are the mean over the heads, written into each of them.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("num_heads=%d, d_model=%d" % (num_heads, d_model))
    return np.moveaxis(x.reshape(*lead, n, num_heads, -1), -2, -3)


def merge_heads(x):
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    shown = np.empty_like(weights)
    shown[...] = sum(weights[..., [h], :, :] for h in range(num_heads)) / num_heads
    return merge_heads(heads) @ w_o, shown
