"""Turns a mask with one axis into a column, so it hides queries instead of keys.
expect: exception
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        mask = np.asarray(mask)
        if mask.ndim == 1:
            mask = mask[:, None]
        scores = np.where(mask, scores, -1e30)
    weights = softmax(scores)
    return weights @ v, weights
