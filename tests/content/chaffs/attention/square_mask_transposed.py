"""Rows and columns of the mask are swapped.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        allowed = np.broadcast_to(mask, scores.shape)
        if allowed.shape[-1] == allowed.shape[-2]: allowed = np.swapaxes(allowed, -1, -2)
        scores = np.where(allowed, scores, -np.inf)
    weights = softmax(scores)
    return np.matmul(weights, v), weights
