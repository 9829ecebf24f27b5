"""split_heads only reshapes and never swaps the head axis with the token axis, so tokens are mixed up."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
    d_head = d_model // num_heads
    return x.reshape(*x.shape[:-2], num_heads, n, d_head)


def merge_heads(x):
    h, n, d = x.shape[-3:]
    return np.swapaxes(x, -2, -3).reshape(*x.shape[:-3], n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    q, k, v = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ w_o, weights
