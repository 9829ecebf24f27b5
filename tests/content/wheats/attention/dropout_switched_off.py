"""Has a dropout that does nothing unless it is training."""
import numpy as np

from softmax import softmax


def dropout(weights, rate, training):
    if not training:
        return weights
    kept = np.random.random(weights.shape) >= rate
    return weights * kept / (1 - rate)


def scaled_dot_product_attention(q, k, v, mask=None, rate=0.1, training=False):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = dropout(softmax(scores), rate, training)
    return weights @ v, weights
