"""Both loops count the queries; scores that are never reached keep the minus infinity they were made with.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    length, d_k = q.shape[-2:]
    scores = np.full((*q.shape[:-1], k.shape[-2]), -np.inf)
    for row in range(length):
        for column in range(length):
            scores[..., row, column] = np.sum(q[..., row, :] * k[..., column, :], axis=-1) / d_k**0.5
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    weights = softmax(scores)
    return np.matmul(weights, v), weights
