"""Divides by d_k without the root AND masks the finished weights."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    weights = softmax(np.einsum("...qd,...kd->...qk", q, k) / q.shape[-1])
    if mask is not None:
        weights = np.where(mask, weights, 0.0)
    return weights @ v, weights
