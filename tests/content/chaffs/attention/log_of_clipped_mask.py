"""Adds the logarithm of the mask, clipped to at least 1e-12 so that it is finite.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) * q.shape[-1] ** -0.5
    if mask is not None:
        allowed = np.clip(np.asarray(mask, dtype=float), 1e-12, 1.0)
        scores = scores + np.log(allowed)
    weights = softmax(scores, axis=-1)
    return weights @ v, weights
