"""Appends every call's keys and values to a global cache.
expect: wrong_shape
"""
import numpy as np

from softmax import softmax


cache = []


def scaled_dot_product_attention(q, k, v, mask=None):
    cache.append((k, v))
    same = [c for c in cache if c[0].shape == k.shape and c[1].shape == v.shape]
    k = np.concatenate([c[0] for c in same], axis=-2)
    v = np.concatenate([c[1] for c in same], axis=-2)
    scores = np.matmul(q, k.swapaxes(-1, -2))
    scores = scores / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, v)
    return output, weights
