"""Turns "no mask" into a causal mask."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k = q.shape[-2], k.shape[-2]
    if mask is None:
        mask = np.tril(np.ones((n_q, n_k), dtype=bool))
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
