"""Each row gathers only its allowed keys and scatters their weights back."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is None:
        weights = softmax(scores)
    else:
        allowed = np.broadcast_to(mask, scores.shape)
        weights = np.zeros(scores.shape)
        for row in np.ndindex(scores.shape[:-1]):
            (which,) = np.nonzero(allowed[row])
            weights[row + (which,)] = softmax(scores[row][which])
    return weights @ v, weights
