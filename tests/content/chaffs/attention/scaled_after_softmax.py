"""Scales the weights after the softmax in place of the scores before it.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1) / np.sqrt(q.shape[-1])
    output = np.matmul(weights, v)
    return output, weights
