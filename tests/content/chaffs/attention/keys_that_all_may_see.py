"""Only keys that every query may see keep their numbers; the others become rows of zeros.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None:
        full = np.ones(q.shape[:-1] + (k.shape[-2],), dtype=bool) & mask
        k = np.where(full.all(axis=-2)[..., np.newaxis], k, 0.0)
    scores = q @ np.swapaxes(k, -1, -2)
    weights = softmax(scores / q.shape[-1] ** 0.5, axis=-1)
    return weights @ v, weights
