"""Plain Python loops over batch elements, heads, queries and keys."""
import math

import numpy as np


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(str(d_model) + " cannot be divided by " + str(num_heads))
    d = d_model // num_heads
    out = np.zeros(x.shape[:-2] + (num_heads, n, d), dtype=x.dtype)
    for h in range(num_heads):
        for f in range(d):
            out[..., h, :, f] = x[..., h * d + f]
    return out


def merge_heads(x):
    h, n, d = x.shape[-3:]
    out = np.zeros(x.shape[:-3] + (n, h * d), dtype=x.dtype)
    for c in range(h * d):
        out[..., c] = x[..., c // d, :, c % d]
    return out


def attend(q, k, v, mask):
    n, d = q.shape
    w = np.zeros((n, n))
    for i in range(n):
        s = [float(np.dot(q[i], k[j])) / math.sqrt(d) if mask[i, j] else -math.inf for j in range(n)]
        top = max(s)
        e = [math.exp(a - top) for a in s]
        w[i] = [a / sum(e) for a in e]
    return w @ v, w


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(np.matmul(x, w), num_heads) for w in (w_q, w_k, w_v)]
    n = x.shape[-2]
    if mask is None:
        mask = np.ones((n, n), dtype=bool)
    mask = np.broadcast_to(mask, x.shape[:-2] + (n, n))
    heads = np.zeros(q.shape)
    weights = np.zeros(q.shape[:-1] + (n,))
    for b in np.ndindex(*x.shape[:-2]):
        for h in range(num_heads):
            i = b + (h,)
            heads[i], weights[i] = attend(q[i], k[i], v[i], mask[b])
    return np.matmul(merge_heads(heads), w_o), weights
