"""Has a branch for batches, in which the mask does not come up.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.ndim > 2:
        parts = [scaled_dot_product_attention(*one) for one in zip(q, k, v, strict=True)]
        return tuple(np.stack(part) for part in zip(*parts, strict=True))
    scores = q @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
