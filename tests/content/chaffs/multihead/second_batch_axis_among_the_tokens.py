"""Split and merge know one batch axis, and a second one is reshaped in among the tokens.
expect: wrong_shape
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads = {num_heads}, d_model = {d_model}")
    if x.ndim > 2:
        x = x.reshape(len(x), -1, d_model)
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    if x.ndim == 3:
        return np.concatenate(x, axis=-1)
    batch, num_heads, n, d_head = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
