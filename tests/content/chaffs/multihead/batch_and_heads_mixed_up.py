"""Reads the flat axis of batches and heads as heads first, though batches come first.
expect: wrong_value
"""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


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
    lead, n, d = q.shape[:-3], q.shape[-2], q.shape[-1]
    B = int(np.prod(lead))
    if mask is not None:
        mask = np.broadcast_to(mask[..., None, :, :], lead + (num_heads, n, n)).reshape(-1, n, n)
    o, w = scaled_dot_product_attention(*(t.reshape(B * num_heads, n, d) for t in (q, k, v)), mask)
    o = o.reshape(num_heads, B, n, d).swapaxes(0, 1)
    y = merge_heads(o).reshape(lead + (n, num_heads * d)) @ w_o
    return y, w.reshape(lead + (num_heads, n, n))
