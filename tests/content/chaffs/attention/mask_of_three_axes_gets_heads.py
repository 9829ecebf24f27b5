"""Puts an axis for heads into every mask that has three axes.
expect: wrong_shape
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        if len(mask.shape) == 3:
            mask = np.expand_dims(mask, axis=1)
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
