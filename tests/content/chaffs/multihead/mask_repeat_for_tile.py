"""Stacks heads before batches but repeats each mask H times in a row, so masks go to the wrong batch.
expect: wrong_value
"""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} must be at least 1 and divide d_model={d_model}")
    parts = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(parts, -2, -3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    lead, n, d = q.shape[:-3], q.shape[-2], q.shape[-1]
    # (heads * batch, n, d): the heads come first
    flat = [np.moveaxis(t, -3, 0).reshape(-1, n, d) for t in (q, k, v)]
    if mask is not None and mask.ndim > 2:
        m = mask.reshape(-1, n, n)
        mask = np.repeat(m, num_heads, axis=0)
    o, w = scaled_dot_product_attention(*flat, mask)
    o = np.moveaxis(o.reshape((num_heads,) + lead + (n, d)), 0, -3)
    w = np.moveaxis(w.reshape((num_heads,) + lead + (n, n)), 0, -3)
    return merge_heads(o) @ w_o, w
