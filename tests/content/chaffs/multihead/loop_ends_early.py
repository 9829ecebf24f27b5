"""The loop over the heads stops before the last one, whose output and weights stay 0.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    features = x.shape[-1]
    if num_heads < 1 or features % num_heads:
        raise ValueError(f"{features} features, {num_heads} heads")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v)]
    out = np.zeros(q.shape)
    weights = np.zeros((*q.shape[:-1], q.shape[-2]))
    h = 0
    while h < num_heads - 1:
        here = (..., h, slice(None), slice(None))
        out[here], weights[here] = scaled_dot_product_attention(q[here], k[here], v[here], mask)
        h += 1
    return merge_heads(out) @ w_o, weights
