"""Normalises the weights over the heads as well.
expect: wrong_value
"""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    width = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"need at least one head, got {num_heads} for {width} features")
    if width % num_heads:
        raise ValueError(f"{width} features cannot be cut into {num_heads} heads")
    size = width // num_heads
    return np.stack([x[..., h * size:(h + 1) * size] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v))
    m = None if mask is None else np.expand_dims(mask, -3)
    o, w = scaled_dot_product_attention(q, k, v, m)
    w = w / np.maximum(w.sum(axis=-3, keepdims=True), 1e-12)
    o = w @ v
    return merge_heads(o) @ w_o, w
