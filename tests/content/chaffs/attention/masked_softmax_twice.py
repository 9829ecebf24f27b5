"""Its helper applies mask and softmax, and is called on the scores and then on the weights.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def masked_softmax(scores, mask):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = masked_softmax(masked_softmax(scores, mask), mask)
    return weights @ v, weights
