"""Keeps the root of d_k that the first call had, and reads the mask the other way round."""
import numpy as np

from softmax import softmax


roots = []


def scaled_dot_product_attention(q, k, v, mask=None):
    roots.append(np.sqrt(q.shape[-1]))
    scores = q @ np.swapaxes(k, -1, -2) / roots[0]
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    weights = softmax(scores)
    return weights @ v, weights
