"""Goes through the keys in whole tiles of 4, or in one smaller tile, and leaves out those behind the last whole one.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_k = k.shape[-2]
    scores = np.full(q.shape[:-1] + (n_k,), -np.inf)
    tile = min(4, n_k)
    for end in range(tile, n_k + 1, tile):
        part = slice(end - tile, end)
        scores[..., part] = q @ np.swapaxes(k[..., part, :], -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
