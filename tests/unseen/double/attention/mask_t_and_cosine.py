"""Swaps the mask's rows and columns AND compares unit-length queries."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    length = np.sqrt((q * q).sum(-1, keepdims=True)) + 0.0
    q_hat = q / np.where(length == 0, 1.0, length)
    scores = q_hat @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    if mask is not None:
        m = np.broadcast_to(mask, scores.shape)
        scores = np.where(np.swapaxes(m, -1, -2), scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
