"""Reshapes the matrices to (heads, d_model, d_head) directly, which scrambles their columns.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
    return np.moveaxis(x.reshape(*x.shape[:-1], num_heads, -1), -2, -3)


def merge_heads(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d}")

    def heads(w):
        per_head = w.reshape(num_heads, d, d // num_heads)
        return np.einsum('...nd,hde->...hne', x, per_head)

    if mask is not None:
        mask = np.expand_dims(mask, -3)
    out, att = scaled_dot_product_attention(heads(w_q), heads(w_k), heads(w_v), mask)
    return merge_heads(out) @ w_o, att
