"""Only the first heads are written into the output, and the check does not ask whether num_heads is at least 1."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"d_model={x.shape[-1]} is no multiple of num_heads={num_heads}")
    return np.moveaxis(x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads), -2, -3)


def merge_heads(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
    size = x.shape[-1] // num_heads
    output = np.zeros(x.shape)
    for h in range(num_heads - 1):
        output = output + heads[..., h, :, :] @ w_o[h * size:(h + 1) * size]
    return output, weights
