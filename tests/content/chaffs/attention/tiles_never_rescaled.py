"""Goes through the keys two by two, and rescales neither the running sum nor the running output.
expect: wrong_value
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = np.full(scores.shape[:-1] + (1,), -np.inf)
    tiles = []
    for start in range(0, scores.shape[-1], 2):
        tile = scores[..., start : start + 2]
        top = np.maximum(top, tile.max(axis=-1, keepdims=True))
        tiles.append(np.exp(tile - np.where(np.isinf(top), 0.0, top)))
    powers = np.concatenate(tiles, axis=-1)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ v, weights
