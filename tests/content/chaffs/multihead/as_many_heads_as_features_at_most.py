"""num_heads has to lie between 1 and d_model; whether it divides d_model is left to the reshape.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads not in range(1, d_model + 1):
        raise ValueError(f"num_heads has to be from 1 to {d_model}, not {num_heads}")
    d_head = d_model // num_heads
    return x.reshape(*x.shape[:-1], num_heads, d_head).swapaxes(-2, -3)


def merge_heads(x):
    together = np.swapaxes(x, -2, -3)
    return together.reshape(*together.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
