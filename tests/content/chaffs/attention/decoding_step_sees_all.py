"""A single query is answered by a shortcut of its own that knows nothing of the mask.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.shape[-2] == 1:
        scores = (q * k).sum(axis=-1)[..., None, :]
        mask = None
    else:
        scores = q @ np.swapaxes(k, -1, -2)
    scores = scores / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
