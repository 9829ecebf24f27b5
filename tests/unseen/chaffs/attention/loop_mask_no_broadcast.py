"""Indexes the mask row by row, so a mask that has to broadcast is misread."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.astype(float)
        for i in range(scores.shape[-2]):
            for j in range(scores.shape[-1]):
                scores[..., i, j] = np.where(mask[..., i, j], scores[..., i, j], -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
