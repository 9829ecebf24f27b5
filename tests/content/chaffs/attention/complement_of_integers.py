"""Negates the mask with ~ after making integers of it: -1 and -2 are both true, so every key is hidden.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        hidden = ~mask.astype(np.int8)
        scores = np.where(hidden, -1e9, scores)
    weights = softmax(scores, axis=-1)
    return weights @ v, weights
