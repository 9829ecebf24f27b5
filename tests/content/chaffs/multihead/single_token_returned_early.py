"""A sequence of one token is answered at once with its value, without w_o.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} has to divide d_model={d_model}")
    parts = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(parts, -2, -3)


def merge_heads(x):
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    if x.shape[-2] < 2:
        return x @ w_v, np.ones((*x.shape[:-2], num_heads, 1, 1))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
