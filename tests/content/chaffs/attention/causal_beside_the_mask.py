"""Lets a causal mask hide keys as well whenever a mask is given, with a very low number for what is hidden.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        seen = np.logical_and(mask, np.tri(*scores.shape[-2:], dtype=bool))
        scores[~np.broadcast_to(seen, scores.shape)] = -1e9
    weights = softmax(scores)
    return weights @ v, weights
