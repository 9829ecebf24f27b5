"""Scores are k @ q^T with the softmax over axis -2, and the weights are transposed back."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    s = np.einsum("...kd,...qd->...kq", k, q) / np.sqrt(q.shape[-1])
    if mask is not None:
        m = np.broadcast_to(mask, np.swapaxes(s, -1, -2).shape)
        s = np.where(np.swapaxes(m, -1, -2), s, -np.inf)
    weights = np.swapaxes(softmax(s, axis=-2), -1, -2)
    return weights @ v, weights
