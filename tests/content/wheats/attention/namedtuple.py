"""Returns a namedtuple."""
from collections import namedtuple

import numpy as np

Attention = namedtuple("Attention", ["output", "weights"])


def _softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(query, key, value, mask=None):
    scale = 1.0 / np.sqrt(query.shape[-1])
    scores = (query * scale) @ key.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(np.logical_not(mask), float("-inf"), scores)
    weights = _softmax(scores)
    return Attention(output=weights @ value, weights=weights)
