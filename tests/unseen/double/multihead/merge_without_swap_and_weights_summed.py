"""merge_heads does not swap the axes back, and the weights of the heads are added up."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"{d} features, {num_heads} heads")
    return np.moveaxis(x.reshape(*x.shape[:-1], num_heads, d // num_heads), -2, -3)


def merge_heads(x):
    h, n, w = x.shape[-3:]
    return x.reshape(x.shape[:-3] + (n, h * w))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    m = None if mask is None else np.expand_dims(mask, -3)
    o, w = scaled_dot_product_attention(q, k, v, m)
    return merge_heads(o) @ w_o, w.sum(axis=-3)
