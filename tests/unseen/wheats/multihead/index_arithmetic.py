"""Heads are cut and merged by filling arrays through index arithmetic, feature by feature."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("d_model is " + str(d_model) + " and num_heads is " + str(num_heads))
    d_head = d_model // num_heads
    out = np.empty(x.shape[:-2] + (num_heads, x.shape[-2], d_head), dtype=x.dtype)
    for f in range(d_model):
        h, j = divmod(f, d_head)
        out[..., h, :, j] = x[..., f]
    return out


def merge_heads(x):
    h, n, d_head = x.shape[-3:]
    out = np.empty(x.shape[:-3] + (n, h * d_head), dtype=x.dtype)
    for f in range(h * d_head):
        out[..., f] = x[..., f // d_head, :, f % d_head]
    return out


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    queries, keys, values = project_qkv(x, w_q, w_k, w_v)
    heads = [split_heads(t, num_heads) for t in (queries, keys, values)]
    allowed = None if mask is None else mask[..., np.newaxis, :, :]
    mixed, weights = scaled_dot_product_attention(*heads, mask=allowed)
    return np.tensordot(merge_heads(mixed), w_o, axes=1), weights
