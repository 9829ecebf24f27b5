"""Queries and keys are each divided by the fourth root of d_k."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    r = q.shape[-1] ** 0.25
    scores = (q / r) @ np.swapaxes(k / r, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
