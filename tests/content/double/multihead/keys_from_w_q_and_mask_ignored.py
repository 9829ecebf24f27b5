"""Keys are made with w_q, and the mask is not handed on."""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{num_heads} heads for {d_model} features")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, -1), -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_q, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v)
    return merge_heads(heads) @ w_o, weights
