"""A num_heads that does not divide d_model is quietly replaced by 1 in multi_head_attention."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"got num_heads {num_heads} for d_model {d}")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d // num_heads), -3, -2)


def merge_heads(x):
    h, n, w = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, h * w)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if num_heads < 1 or x.shape[-1] % num_heads != 0:
        num_heads = 1
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    o, w = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(o) @ w_o, w
