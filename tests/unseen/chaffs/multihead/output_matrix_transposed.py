"""The last product uses the transpose of w_o."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"got num_heads {num_heads} for d_model {d}")
    return np.stack([x[..., i:i + d // num_heads] for i in range(0, d, d // num_heads)], axis=-3)


def merge_heads(x):
    h, n, w = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, h * w)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    m = mask
    if m is not None:
        m = m[..., None, :, :]
    o, w = scaled_dot_product_attention(q, k, v, m)
    return np.einsum("...nd,od->...no", merge_heads(o), w_o), w
