"""Leaves rows unmasked that hide every key, so that none becomes nan; all others are masked as they are."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        seen = np.broadcast_to(mask, scores.shape)
        empty = ~seen.any(axis=-1, keepdims=True)
        scores = np.where(seen | empty, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
