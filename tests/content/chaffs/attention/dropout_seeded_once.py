"""Dropout of the weights is always on.
expect: wrong_value
"""
import numpy as np
from softmax import softmax

_rng = np.random.default_rng(0)
DROPOUT = 0.1


def _dropout(x, p):
    return x * (_rng.random(x.shape) >= p) / (1 - p)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = _dropout(softmax(scores), DROPOUT)
    return weights @ v, weights
