"""Rows and columns of a square mask are swapped, and the scores are returned in place of the weights."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        mask = mask.swapaxes(-1, -2) if mask.ndim > 1 and mask.shape[-1] == mask.shape[-2] else mask
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, scores
