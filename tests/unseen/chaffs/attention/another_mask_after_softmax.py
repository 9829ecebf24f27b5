"""The mask sets weights to 0 after the softmax, and the rest no longer sums to 1."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights
