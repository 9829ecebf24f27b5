"""Makes weights, hides what the mask forbids, and makes weights of those weights.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    probabilities = softmax(np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1]))
    if mask is not None:
        probabilities = np.where(mask, probabilities, -1e9)
    weights = softmax(probabilities)
    return weights @ v, weights
