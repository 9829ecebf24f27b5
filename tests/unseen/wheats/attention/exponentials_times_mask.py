"""The exponentials are multiplied by the mask and then normalised, with the maximum over allowed keys only."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, initial=-np.inf, where=keep)
    e = np.exp(np.minimum(scores - top, 0.0)) * keep
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.matmul(weights, v), weights
