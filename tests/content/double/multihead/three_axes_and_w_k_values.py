"""Split_heads needs exactly one leading axis, and the values are made with w_k."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    b, n, d = x.shape
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"num_heads {num_heads} must divide d_model {d}")
    return x.reshape(b, n, num_heads, d // num_heads).swapaxes(-2, -3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_k)
    q, k, v = (split_heads(p, num_heads) for p in (q, k, v))
    if mask is not None:
        mask = mask[..., None, :, :]
    y, a = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(y) @ w_o, a
