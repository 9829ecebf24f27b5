"""Leaves w_o out, and the message names only num_heads."""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"cannot make {num_heads} heads")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, -1), -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(heads), weights
