"""The first mask of a shape is remembered and used again in later calls."""
import numpy as np
from softmax import softmax

_bias = {}


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        key = scores.shape
        if key not in _bias:
            _bias[key] = np.where(np.broadcast_to(mask, key), 0.0, -np.inf)
        scores = scores + _bias[key]
    weights = softmax(scores)
    return weights @ v, weights
