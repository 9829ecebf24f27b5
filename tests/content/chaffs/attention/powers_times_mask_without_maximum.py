"""Multiplies plain exponentials by the mask, so that a large masked score is infinity times 0.
expect: wrong_value
"""
import numpy as np


def masked_softmax(scores, mask):
    powers = np.exp(scores)
    if mask is not None:
        powers *= mask
    return powers / np.sum(powers, axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, mask=None):
    weights = masked_softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), mask)
    return weights @ v, weights
