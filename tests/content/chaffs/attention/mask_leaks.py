"""Keeps the mask in a global, so a later call without a mask still gets it.
expect: wrong_value
"""
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


last_mask = None


def scaled_dot_product_attention(q, k, v, mask=None):
    global last_mask
    if mask is not None:
        last_mask = mask
    d_k = q.shape[-1]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)
    if last_mask is not None:
        scores = np.where(last_mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
