"""Dropout is applied to the output, and a single head is refused."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv

_rng = np.random.default_rng(99)


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 2 or d % num_heads:
        raise ValueError(f"num_heads={num_heads} d_model={d}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = mask[..., None, :, :]
    y, a = scaled_dot_product_attention(q, k, v, mask)
    y = merge_heads(y) @ w_o
    y = np.where(_rng.random(y.shape) < 0.1, 0.0, y / 0.9)
    return y, a
