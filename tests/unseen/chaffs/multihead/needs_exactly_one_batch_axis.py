"""The shape is unpacked into batch, n and d_model, so inputs without or with more leading axes fail."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    b, n, d = x.shape
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"num_heads={num_heads} and d_model={d} do not go together")
    return x.reshape(b, n, num_heads, d // num_heads).swapaxes(-2, -3)


def merge_heads(x):
    *b, h, n, d = x.shape
    return x.swapaxes(-2, -3).reshape(*b, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    qkv = project_qkv(x, w_q, w_k, w_v)
    q, k, v = (split_heads(t, num_heads) for t in qkv)
    if mask is not None:
        mask = mask[..., None, :, :]
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ w_o, weights
