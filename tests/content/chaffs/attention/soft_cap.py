"""Caps the scores softly at 20, which bends them before the softmax.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    cap = 20
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    scores = cap * np.tanh(scores / cap)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.matmul(weights, v), weights
