"""Zeroes the weights after the softmax without renormalising."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum("...qd,...kd->...qk", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights
