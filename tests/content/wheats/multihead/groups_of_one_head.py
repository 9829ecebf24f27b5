"""Written for groups of heads that share keys and values, with groups of one head: each has its own."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv

GROUP = 1


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} has to divide d_model={d_model}")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, w_q, w_k, w_v))
    k, v = (np.repeat(part[..., ::GROUP, :, :], GROUP, axis=-3) for part in (k, v))
    heads, weights = scaled_dot_product_attention(q, k, v, mask if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
