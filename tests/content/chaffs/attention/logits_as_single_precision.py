"""Casts the scaled scores to float32 before the softmax.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    logits = (q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])).astype("float32")
    if mask is not None:
        logits = np.where(mask, logits, np.float32(-np.inf))
    probabilities = softmax(logits, axis=-1)
    return probabilities @ v, probabilities
