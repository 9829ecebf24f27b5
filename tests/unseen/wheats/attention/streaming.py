"""Goes through the keys one by one with a running maximum, as flash attention does."""

import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    best = np.full(scores.shape[:-1], -np.inf)
    total = np.zeros(scores.shape[:-1])
    for j in range(scores.shape[-1]):
        new = np.maximum(best, scores[..., j])
        safe = np.where(np.isneginf(new), 0.0, new)
        total = total * np.exp(best - safe) + np.exp(scores[..., j] - safe)
        best = new
    weights = np.exp(scores - best[..., None]) / total[..., None]
    return weights @ v, weights
