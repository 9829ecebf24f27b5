"""Takes a query that may not see the first key for padding, and gives it no weights.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is None:
        weights = softmax(scores)
        return weights @ v, weights
    mask = np.broadcast_to(mask, scores.shape)
    weights = softmax(np.where(mask, scores, -np.inf))
    is_padding = np.logical_not(mask[..., 0])
    weights[is_padding] = 0.0
    return weights @ v, weights
