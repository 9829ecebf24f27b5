"""Multiplies the scores by the mask and gives every 0 that comes out a very low number.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
        scores[scores == 0] = -1e9
    weights = softmax(scores)
    return weights @ v, weights
