"""The joint matrix of queries, keys and values is made once for each size and number of heads.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention


JOINT = {}


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} has to divide d_model={d_model}")
    parts = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(parts, -2, -3)


def merge_heads(x):
    *lead, num_heads, n, d_head = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    name = f"{len(w_q)} {num_heads}"
    if name not in JOINT:
        JOINT[name] = np.concatenate((w_q, w_k, w_v), axis=1)
    q, k, v = (split_heads(p, num_heads) for p in np.split(x @ JOINT[name], 3, axis=-1))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    return merge_heads(heads) @ w_o, weights
