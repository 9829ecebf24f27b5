"""Divides by the root of the number of keys, and adds -10,000 where the mask forbids."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    number_of_keys = k.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(number_of_keys)
    if mask is not None:
        scores = scores + np.where(mask, 0, -10_000)
    weights = softmax(scores)
    return weights @ v, weights
