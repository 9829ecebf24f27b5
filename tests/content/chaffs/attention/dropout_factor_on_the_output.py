"""Averages with weights that are divided by the probability of keeping one, though all are kept.
expect: wrong_value
"""
import numpy as np

from softmax import softmax

KEEP = 0.8


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return (weights / KEEP) @ v, weights
