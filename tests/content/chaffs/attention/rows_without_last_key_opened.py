"""Leaves the mask out for every query that may not see the last key, to be safe from empty rows.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-2, -1)) * q.shape[-1] ** -0.5
    if mask is not None:
        empty = ~mask[..., -1:]
        scores = np.where(np.logical_or(mask, empty), scores, -1e9)
    weights = softmax(scores)
    return np.matmul(weights, v), weights
