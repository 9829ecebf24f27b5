"""split_heads takes d_model from axis 1 and reshapes with it.
expect: exception
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = np.size(x, 1)
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} is no divisor of d_model={d_model}")
    shape = x.shape[:-1] + (num_heads, d_model // num_heads)
    return np.swapaxes(np.reshape(x, shape), -2, -3)


def merge_heads(x):
    together = np.swapaxes(x, -2, -3)
    return together.reshape(*together.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
