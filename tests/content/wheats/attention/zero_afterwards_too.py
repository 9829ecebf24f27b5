"""Masks before the softmax and sets the zeros once more afterwards."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2)
    scores = scores / q.shape[-1] ** 0.5
    if mask is not None:
        mask = np.broadcast_to(mask, scores.shape)
        scores = scores.copy()
        np.copyto(scores, -np.inf, where=~mask)
    weights = softmax(scores)
    if mask is not None:
        weights = weights * mask
    return np.matmul(weights, v), weights
