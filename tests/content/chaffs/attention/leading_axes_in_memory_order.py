"""Flattens the leading axes in the order in which they lie in memory, so queries in Fortran order are mixed up.
expect: wrong_value
"""

import numpy as np

from softmax import softmax


def rows(array):
    return np.ravel(array, order="K").reshape(array.shape)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = rows(q) @ np.swapaxes(rows(k), -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
