"""Multiplies the exponentials by the mask, with the maximum taken over masked positions too.
expect: wrong_value
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    if mask is not None:
        e = e * mask
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("...ij,...jd->...id", weights, v), weights
