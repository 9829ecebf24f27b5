"""Queries are compared with the values, and scores are divided by the root of the number of keys."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n = k.shape[-2]
    scores = np.einsum("...ie,...je->...ij", q, v) / np.sqrt(n)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    return weights @ v, weights
