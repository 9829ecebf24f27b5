"""split_heads never swaps axes, and w_o is not used."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    n, d = x.shape[-2:]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"num_heads {num_heads} / d_model {d}")
    return x.reshape(*x.shape[:-2], num_heads, n, d // num_heads)


def merge_heads(x):
    h, n, w = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, h * w)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    if mask is not None:
        mask = mask[..., None, :, :]
    o, w = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(o), w
