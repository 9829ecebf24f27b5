"""A causal mask is applied when none is given, and the weights are returned before the output."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads <= 0 or d_model % num_heads:
        raise ValueError("d_model=%d is not divisible by num_heads=%d" % (d_model, num_heads))
    size = d_model // num_heads
    return np.stack([x[..., h * size:(h + 1) * size] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if mask is None:
        mask = np.ones((x.shape[-2], x.shape[-2]), dtype=bool)
        mask = np.tril(mask)
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    y, a = scaled_dot_product_attention(q, k, v, mask[..., None, :, :])
    y = merge_heads(y) @ w_o
    return a, y
