"""Treats the heads as more batch elements of one big flat batch."""
import numpy as np


def split_heads(x, num_heads):
    n, d_model = x.shape[-2], x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{d_model} % {num_heads} != 0")
    flat = x.reshape(-1, n, num_heads, d_model // num_heads)
    return flat.transpose(0, 2, 1, 3).reshape(x.shape[:-2] + (num_heads, n, d_model // num_heads))


def merge_heads(x):
    h, n, d = x.shape[-3:]
    flat = x.reshape(-1, h, n, d).transpose(0, 2, 1, 3)
    return flat.reshape(x.shape[:-3] + (n, h * d))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    lead, (n, d_model) = x.shape[:-2], x.shape[-2:]
    q, k, v = (split_heads(x @ w, num_heads).reshape(-1, n, d_model // num_heads) for w in (w_q, w_k, w_v))
    scores = np.einsum("bid,bjd->bij", q, k) / np.sqrt(d_model // num_heads)
    if mask is not None:
        full = np.broadcast_to(mask, lead + (n, n)).reshape(-1, 1, n, n)
        full = np.broadcast_to(full, (full.shape[0], num_heads, n, n)).reshape(scores.shape)
        scores[~full] = -np.inf
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights = e / e.sum(axis=2, keepdims=True)
    weights = weights.reshape(lead + (num_heads, n, n))
    heads = weights @ v.reshape(lead + (num_heads, n, -1))
    return merge_heads(heads) @ w_o, weights
