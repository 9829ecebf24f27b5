"""The keys are centred first, which adds the same number to all scores of a query and cancels in the softmax."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    centred = k - k.mean(axis=-2, keepdims=True)
    scores = q @ np.swapaxes(centred, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
