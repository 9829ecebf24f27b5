"""Fills in -1e4 at masked positions, which other scores may equal.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2))
    scores = scores / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e4)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, v)
    return output, weights
