"""Compares the queries with themselves, and divides the weights by 0.9 as if there were a dropout."""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(q, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores) / (1 - 0.1)
    return weights @ v, weights
