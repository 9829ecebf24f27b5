"""Divides the scores by their sum, those that are masked being 0, without an exponential.
expect: wrong_value
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = scores / np.sum(scores, axis=-1, keepdims=True)
    return np.matmul(weights, v), weights
