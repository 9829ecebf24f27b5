"""Adds -1e4 at masked positions, which is not low enough for scores of that size.
expect: wrong_value
"""
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.shape[-1]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -1e4)
    weights = softmax(scores)
    return weights @ v, weights
