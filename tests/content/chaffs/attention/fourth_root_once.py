"""The fourth root of d_k scales the queries but not the keys.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scale = q.shape[-1] ** -0.25
    q = q * scale
    k = k
    weights = np.einsum("...id,...jd->...ij", q, k)
    if mask is not None:
        weights = np.where(mask, weights, -np.inf)
    weights = softmax(weights, axis=-1)
    return np.einsum("...ij,...jc->...ic", weights, v), weights
