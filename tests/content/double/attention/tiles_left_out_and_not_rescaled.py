"""Goes through whole tiles of two keys only, and does not rescale the running output."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    count = max(scores.shape[-1] // 2, 1)
    top, total, output = -np.inf, 0.0, 0.0
    weights = np.zeros(scores.shape)
    for tile in range(count):
        keys = slice(2 * tile, 2 * tile + 2)
        higher = np.maximum(top, scores[..., keys].max(axis=-1, keepdims=True))
        safe = np.where(np.isinf(higher), 0.0, higher)
        powers = np.exp(scores[..., keys] - safe)
        shrink = np.exp(top - safe)
        total = total * shrink + powers.sum(axis=-1, keepdims=True)
        output = output + powers @ v[..., keys, :]
        weights *= shrink
        weights[..., keys] = powers
        top = higher
    return output / total, weights / total
