"""Compares the mask with True by `is`, which is never so: all scores become -inf.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2)) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = np.where(mask is True, scores, -np.inf)
    weights = softmax(scores)
    return np.matmul(weights, v), weights
