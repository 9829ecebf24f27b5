"""The queries are scaled a second time, and the weights are returned before the output."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
    return np.swapaxes(x.reshape(*x.shape[:-2], n, num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    num_heads, n, d_head = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    q, k, v = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    q = q / q.shape[-1] ** 0.5
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    output = merge_heads(heads) @ w_o
    return (weights, output)
