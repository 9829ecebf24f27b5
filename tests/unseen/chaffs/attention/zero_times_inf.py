"""Builds the additive mask as (1 - mask) * -inf, which is nan where attending is allowed."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + (1.0 - mask) * -np.inf
    weights = softmax(scores)
    return weights @ v, weights
