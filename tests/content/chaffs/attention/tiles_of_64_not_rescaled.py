"""Tiles of 64 keys, whose running sums stay as they were when a later tile has a larger score.
expect: wrong_value
"""
import numpy as np

TILE = 64


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = np.full(scores.shape[:-1] + (1,), -np.inf)
    total, output = 0.0, 0.0
    for start in range(0, scores.shape[-1], TILE):
        tile = scores[..., start : start + TILE]
        top = np.maximum(top, tile.max(axis=-1, keepdims=True))
        powers = np.exp(tile - np.where(np.isneginf(top), 0, top))
        total = total + powers.sum(axis=-1, keepdims=True)
        output = output + powers @ v[..., start : start + TILE, :]
    weights = np.exp(scores - top)
    return output / total, weights / weights.sum(axis=-1, keepdims=True)
