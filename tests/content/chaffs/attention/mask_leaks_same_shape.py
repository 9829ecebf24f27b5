"""Remembers the last mask for scores of the same shape and uses it when none is given.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


masks = {}


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2))
    scores = scores / np.sqrt(q.shape[-1])
    if mask is not None:
        masks[scores.shape] = mask
    mask = masks.get(scores.shape)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, v)
    return output, weights
