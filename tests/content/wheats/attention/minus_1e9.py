"""Puts -1e9 where nothing may be attended to: low enough to give exactly 0."""
import numpy as np


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights @ V, weights
