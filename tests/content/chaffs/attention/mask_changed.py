"""Inverts the mask in place.
expect: changed_input
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2))
    scores = scores / np.sqrt(q.shape[-1])
    if mask is not None:
        np.logical_not(mask, out=mask)
        scores = np.where(mask, -np.inf, scores)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, v)
    return output, weights
