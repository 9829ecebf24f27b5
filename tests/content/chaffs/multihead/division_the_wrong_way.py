"""Asks whether d_model divides num_heads, so right numbers are refused and wrong ones pass.
expect: exception
"""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or num_heads % d_model != 0:
        raise ValueError(f"d_model={d_model} and num_heads={num_heads} do not fit")
    y = x.reshape(x.shape[:-1] + (num_heads, d_model // num_heads))
    return y.swapaxes(-2, -3)


def merge_heads(x):
    y = np.swapaxes(x, -2, -3)
    return y.reshape(*y.shape[:-2], y.shape[-2] * y.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    qkv = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    shared = None if mask is None else mask[..., np.newaxis, :, :]
    context, weights = scaled_dot_product_attention(*qkv, mask=shared)
    output = np.matmul(merge_heads(context), w_o)
    return output, weights
