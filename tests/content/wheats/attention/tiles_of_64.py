"""Tiles of 64 keys with running sums, all of them rescaled; the last tile is as small as need be."""
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
        higher = np.maximum(top, tile.max(axis=-1, keepdims=True))
        guard = np.where(np.isneginf(higher), 0, higher)
        factor, powers = np.exp(top - guard), np.exp(tile - guard)
        total = factor * total + powers.sum(axis=-1, keepdims=True)
        output = factor * output + powers @ v[..., start : start + TILE, :]
        top = higher
    return output / total, np.exp(scores - top) / total
