"""Where num_heads does not fit, it goes on with a single head.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads != 0:
        num_heads = 1
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    return merge_heads(heads) @ w_o, weights
