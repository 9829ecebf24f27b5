"""Its own inlined softmax has no shift and overflows."""

import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores)
    if mask is not None:
        e = np.where(mask, e, 0.0)
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
