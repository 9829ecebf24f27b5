"""The weights are averaged over the heads before they are returned."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"{d} features do not fit {num_heads} heads")
    return np.moveaxis(x.reshape(*x.shape[:-1], num_heads, -1), -2, -3)


def merge_heads(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = map(lambda t: split_heads(t, num_heads), project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    y, attn = scaled_dot_product_attention(q, k, v, mask)
    y = merge_heads(y) @ w_o
    return y, attn.mean(axis=-3)
