"""Masks the exponentials, with the maximum taken over the allowed keys only."""

import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.asarray(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    exps = np.zeros(scores.shape)
    np.exp(scores - top, out=exps, where=allowed)
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return weights @ v, weights
