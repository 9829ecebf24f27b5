"""(1 - mask) times -inf is nan for the allowed keys.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        bias = (1.0 - np.asarray(mask, dtype=float)) * -np.inf
        scores = scores + bias
    weights = softmax(scores)
    return weights @ v, weights
