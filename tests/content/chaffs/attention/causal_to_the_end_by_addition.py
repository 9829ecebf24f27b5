"""Adds a causal bias, aligned with the last key, to all scores, as if nobody may ever look ahead.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(k.shape[-1])
    n_q, n_k = scores.shape[-2:]
    ahead = np.arange(n_k)[None, :] > np.arange(n_q)[:, None] + max(0, n_k - n_q)
    scores = scores - 1e30 * ahead
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    weights = softmax(scores)
    return np.matmul(weights, v), weights
