"""The mask gets no axis for the heads, and every head shows the mean weights."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"num_heads is {num_heads}, but d_model = {d_model} needs at least one head")
    if d_model % num_heads > 0:
        raise ValueError(f"d_model = {d_model} is no multiple of num_heads = {num_heads}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    together = np.swapaxes(x, -2, -3)
    return together.reshape(*together.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    mean = np.mean(weights, axis=-3, keepdims=True)
    return merge_heads(heads) @ w_o, np.repeat(mean, num_heads, axis=-3)
