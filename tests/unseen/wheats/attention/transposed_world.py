"""Keys as rows: softmax over axis -2 of k @ q^T, swapped back at the end."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    t = np.swapaxes(q / np.sqrt(q.shape[-1]), -1, -2)
    scores = k @ t
    if mask is not None:
        full = np.broadcast_to(mask, scores.shape[:-2] + (scores.shape[-1], scores.shape[-2]))
        scores = np.where(np.swapaxes(full, -1, -2), scores, -np.inf)
    weights = np.swapaxes(softmax(scores, axis=-2), -1, -2)
    return weights @ v, weights
