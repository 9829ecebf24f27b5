"""split_heads unpacks exactly three axes, so other ranks fail."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(f"num_heads={num_heads}, d_model={x.shape[-1]}")
    batch, n, d_model = x.shape
    return x.reshape(batch, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    parts = [split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v)]
    shared = None if mask is None else np.expand_dims(mask, axis=-3)
    context, attn = scaled_dot_product_attention(*parts, mask=shared)
    return np.matmul(merge_heads(context), w_o), attn
