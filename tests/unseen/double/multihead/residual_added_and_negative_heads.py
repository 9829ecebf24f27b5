"""The input is added to the output, and a num_heads below 1 is not turned down with a ValueError."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1:
        num_heads = 1
    if d % num_heads:
        raise ValueError(f"num_heads {num_heads} does not divide d_model {d}")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d // num_heads), -3, -2)


def merge_heads(x):
    y = np.swapaxes(x, -3, -2)
    return y.reshape(*y.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    m = None if mask is None else np.expand_dims(mask, -3)
    o, w = scaled_dot_product_attention(q, k, v, m)
    return merge_heads(o) @ w_o + x, w
