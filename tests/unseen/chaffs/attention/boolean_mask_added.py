"""The boolean mask is added to the scores as 0 and 1, so nothing is hidden."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = softmax(scores, -1)
    return weights @ v, weights
