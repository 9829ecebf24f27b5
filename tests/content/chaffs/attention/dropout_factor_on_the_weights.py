"""Multiplies the weights by 2, which would make up for a dropout of one half.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None, rate=0.5):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores) * (1.0 / (1.0 - rate))
    return weights @ v, weights
