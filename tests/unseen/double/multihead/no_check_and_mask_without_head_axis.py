"""num_heads is not checked, and the mask gets no axis for the heads."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    return x.reshape(*x.shape[:-1], num_heads, d // num_heads).swapaxes(-2, -3)


def merge_heads(x):
    h, n, w = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, h * w)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    o, w = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(o) @ w_o, w
