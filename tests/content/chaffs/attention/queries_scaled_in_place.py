"""Scales q in place.
expect: changed_input
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.dtype.kind != "f":
        q = q.astype(float)
    q /= np.sqrt(q.shape[-1])
    scores = np.matmul(q, k.swapaxes(-1, -2))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, v)
    return output, weights
