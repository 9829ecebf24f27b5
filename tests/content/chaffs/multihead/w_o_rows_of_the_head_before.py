"""The output is a sum over the heads, but each head meets the rows of w_o of the head before it.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"num_heads is {num_heads}, but d_model = {d_model} needs at least one head")
    if d_model % num_heads > 0:
        raise ValueError(f"d_model = {d_model} is no multiple of num_heads = {num_heads}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    *lead, num_heads, n, d_head = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    size = heads.shape[-1]
    rows = [w_o[i:i + size] for i in range(0, len(w_o), size)]
    output = sum(heads[..., h, :, :] @ rows[h - 1] for h in range(num_heads))
    return output, weights
