"""Swaps axes 1 and 2 counted from the front, right only with exactly one leading axis.
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
    heads, n, d_head = x.shape[-3:]
    t = np.swapaxes(x, 1, 2)
    return t.reshape(x.shape[:-3] + (n, heads * d_head))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    qkv = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    shared = None if mask is None else mask[..., np.newaxis, :, :]
    context, weights = scaled_dot_product_attention(*qkv, mask=shared)
    output = np.matmul(merge_heads(context), w_o)
    return output, weights
