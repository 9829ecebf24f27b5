"""Caches the scores by shape in a mutable default.
expect: wrong_value
"""
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, mask=None, cache={}):
    d_k = q.shape[-1]
    key = q.shape, k.shape
    if key not in cache:
        cache[key] = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)
    scores = cache[key]
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
