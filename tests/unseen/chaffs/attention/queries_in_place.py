"""Scales the caller's queries in place."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scale = 1.0 / np.sqrt(q.shape[-1])
    if np.issubdtype(q.dtype, np.floating):
        q *= scale
    else:
        q = q * scale
    scores = q @ np.swapaxes(k, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
