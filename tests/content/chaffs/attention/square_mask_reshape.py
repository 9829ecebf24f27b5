"""Reshapes the mask as if there were as many keys as queries.
expect: exception
"""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    n = scores.shape[-2]
    if mask is not None:
        full = np.broadcast_to(mask, scores.shape)
        full = full.reshape(-1, n, n)
        full = full.reshape(*scores.shape)
        flat = scores.reshape(full.shape)
        scores = np.where(full, flat, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
