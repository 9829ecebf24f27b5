"""Imports nothing but NumPy and casts to float64."""
import numpy as np


def check(d_model, num_heads):
    if num_heads < 1:
        raise ValueError("num_heads must be at least 1, got %d (d_model is %d)" % (num_heads, d_model))
    if d_model % num_heads:
        raise ValueError("%d features do not divide into %d heads" % (d_model, num_heads))


def split_heads(x, num_heads):
    check(x.shape[-1], num_heads)
    d_head = x.shape[-1] // num_heads
    return np.moveaxis(x.reshape(x.shape[:-1] + (num_heads, d_head)), -2, -3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    x = np.asarray(x, dtype=np.float64)
    check(x.shape[-1], num_heads)
    q = split_heads(x @ w_q, num_heads)
    k = split_heads(x @ w_k, num_heads)
    v = split_heads(x @ w_v, num_heads)
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(np.expand_dims(mask, -3), scores, -np.inf)
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ v) @ w_o, weights
