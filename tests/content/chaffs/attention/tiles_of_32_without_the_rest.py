"""Goes through the keys in tiles of 32, as many as fit, but at least one.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_k = k.shape[-2]
    tile = 32
    scores = []
    for i in range(max(1, n_k // tile)):
        scores.append(q @ np.swapaxes(k[..., i * tile : (i + 1) * tile, :], -1, -2))
    scores = np.concatenate(scores, axis=-1) / np.sqrt(q.shape[-1])
    full = np.full(q.shape[:-1] + (n_k,), -np.inf)
    full[..., : scores.shape[-1]] = scores
    if mask is not None:
        full = np.where(mask, full, -np.inf)
    weights = softmax(full)
    return weights @ v, weights
