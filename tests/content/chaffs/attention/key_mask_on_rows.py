"""Lays a mask of one axis along the queries instead of the keys when the lengths agree.
expect: wrong_value
"""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        mask = np.asarray(mask)
        if mask.ndim == 1 and len(mask) == scores.shape[-2]:
            mask = mask[:, None]
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
