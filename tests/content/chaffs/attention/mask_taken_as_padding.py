"""The mask gets an extra axis before the keys, as if it were a padding mask.
expect: wrong_shape
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., np.newaxis, :], scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
