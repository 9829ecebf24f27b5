"""Puts the heads one after the other as tokens under a block mask."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


from softmax import softmax


def _check(d_model, num_heads):
    if num_heads <= 0 or d_model % num_heads:
        raise ValueError("d_model ({}) is not divisible by num_heads ({})".format(d_model, num_heads))


def split_heads(x, num_heads):
    _check(x.shape[-1], num_heads)
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v))
    H, n, d = q.shape[-3:]
    line = [t.reshape(t.shape[:-3] + (H * n, d)) for t in (q, k, v)]
    allowed = np.kron(np.eye(H, dtype=int), np.ones((n, n), dtype=int)).astype(bool)
    if mask is not None:
        allowed = allowed & np.tile(mask, (1,) * (mask.ndim - 2) + (H, H))
    o, big = scaled_dot_product_attention(*line, allowed)
    weights = np.stack([big[..., h * n:(h + 1) * n, h * n:(h + 1) * n] for h in range(H)], axis=-3)
    return merge_heads(o.reshape(q.shape)) @ w_o, weights
