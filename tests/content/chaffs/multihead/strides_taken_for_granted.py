"""Splits by strides that only an array in C order has, so a view or an array in Fortran order is read wrongly.
expect: wrong_value
"""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *leading, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads = {num_heads} does not divide d_model = {d_model}")
    d_head = d_model // num_heads
    in_front = [x.itemsize * n * d_model * int(np.prod(leading[at + 1 :])) for at in range(len(leading))]
    inside = [x.itemsize * d_head, x.itemsize * d_model, x.itemsize]
    return as_strided(x, (*leading, num_heads, n, d_head), (*in_front, *inside)).copy()


def merge_heads(x):
    tokens = np.swapaxes(x, -2, -3)
    return tokens.reshape(*tokens.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    heads = (split_heads(part, num_heads) for part in project_qkv(np.ascontiguousarray(x), w_q, w_k, w_v))
    shared = None if mask is None else np.expand_dims(mask, -3)
    output, weights = scaled_dot_product_attention(*heads, mask=shared)
    return merge_heads(output) @ w_o, weights
