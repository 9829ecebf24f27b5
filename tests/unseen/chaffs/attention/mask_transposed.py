"""Reads the mask with keys as rows."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum("...qd,...kd->...qk", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        full = np.broadcast_to(mask, scores.shape)
        scores = np.where(full.swapaxes(-1, -2), scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
