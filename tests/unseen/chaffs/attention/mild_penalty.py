"""Takes only 20 from a hidden score."""

import numpy as np
from softmax import softmax

PENALTY = -20.0


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + np.where(mask, 0.0, PENALTY)
    weights = softmax(scores)
    return weights @ v, weights
