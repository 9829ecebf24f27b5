"""Divides by d_k, forgetting the root."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = k.shape[-1]
    scores = np.einsum("...id,...jd->...ij", q, k) / d_k
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    return np.einsum("...ij,...jd->...id", weights, v), weights
