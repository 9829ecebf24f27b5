"""Goes through the keys in tiles of 4, of which the last may be shorter, and rescales all that was summed up."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top, total, output = -np.inf, 0.0, 0.0
    weights = np.zeros(scores.shape)
    for start in range(0, scores.shape[-1], 4):
        keys = slice(start, start + 4)
        higher = np.maximum(top, scores[..., keys].max(axis=-1, keepdims=True))
        safe = np.where(np.isinf(higher), 0.0, higher)
        powers = np.exp(scores[..., keys] - safe)
        shrink = np.exp(top - safe)
        total = total * shrink + powers.sum(axis=-1, keepdims=True)
        output = output * shrink + powers @ v[..., keys, :]
        weights *= shrink
        weights[..., keys] = powers
        top = higher
    return output / total, weights / total
