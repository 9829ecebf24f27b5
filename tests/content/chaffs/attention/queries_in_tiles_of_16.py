"""Goes through the queries in tiles of 16 and forgets those behind the last whole one.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k = q.shape[-2], k.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.zeros(scores.shape)
    tile = min(16, n_q)
    for start in range(0, n_q - tile + 1, tile):
        rows = slice(start, start + tile)
        weights[..., rows, :] = softmax(scores[..., rows, :])
    return weights @ v, weights
