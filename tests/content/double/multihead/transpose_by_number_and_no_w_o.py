"""Splits with transpose(1, 0, 2), which takes matrices only, and leaves w_o out."""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{num_heads} heads for {d_model} features")
    return x.reshape(*x.shape[:-1], num_heads, -1).transpose(1, 0, 2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads), weights
