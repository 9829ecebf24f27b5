"""Goes through the keys in tiles of 4 and rescales the running sum, but not the running output.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = np.full(scores.shape[:-1], -np.inf)
    total = np.zeros(scores.shape[:-1])
    output = 0.0
    for start in range(0, scores.shape[-1], 4):
        tile = scores[..., start : start + 4]
        higher = np.maximum(top, tile.max(axis=-1))
        safe = np.where(np.isinf(higher), 0.0, higher)
        powers = np.exp(tile - safe[..., None])
        total = total * np.exp(top - safe) + powers.sum(axis=-1)
        output = output + powers @ v[..., start : start + 4, :]
        top = higher
    return output / total[..., None], softmax(scores)
