"""Fills an output of the type of v, so integer values give integer outputs.
expect: wrong_type
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2))
    scores = scores / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    output = np.zeros_like(v, shape=q.shape[:-1] + v.shape[-1:])
    output[...] = np.matmul(weights, v)
    return output, weights
