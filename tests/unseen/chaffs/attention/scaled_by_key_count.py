"""The square root is taken of the number of keys and not of their width."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scale = 1.0 / np.sqrt(k.shape[-2])
    scores = (q @ np.swapaxes(k, -1, -2)) * scale
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = softmax(scores)
    return weights @ v, weights
