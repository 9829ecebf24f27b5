"""A second loop takes the values by the number that the first loop has ended with: those of the last head.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads ({num_heads}) has to divide d_model ({d_model})")
    d_head = d_model // num_heads
    return np.stack([x[..., h * d_head:(h + 1) * d_head] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    weights = []
    for h in range(num_heads):
        weights.append(scaled_dot_product_attention(q[..., h, :, :], k[..., h, :, :], v[..., h, :, :], mask)[1])
    outputs = []
    for w in weights:
        outputs.append(w @ v[..., h, :, :])
    return np.concatenate(outputs, axis=-1) @ w_o, np.stack(weights, axis=-3)
