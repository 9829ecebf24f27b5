"""Puts -2,000 in the place of masked scores.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(-2, -1) / np.sqrt(k.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -2e3)
    weights = softmax(scores)
    return weights @ v, weights
