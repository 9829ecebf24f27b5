"""Where num_heads leaves a rest, it is lowered until it leaves none.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"{num_heads} heads are too few for {d_model} features")
    while d_model % num_heads > 0:
        num_heads -= 1
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    return merge_heads(heads) @ w_o, weights
