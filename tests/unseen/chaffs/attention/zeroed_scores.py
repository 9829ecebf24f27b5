"""Multiplies the scores by the mask, which leaves a score of 0."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -2, -1) / np.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = softmax(scores, axis=-1)
    return weights @ v, weights
