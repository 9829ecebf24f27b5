"""Uses k.T with leading axes AND gives hidden keys the score 0."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, 0.0)
    weights = softmax(scores)
    return weights @ v, weights
