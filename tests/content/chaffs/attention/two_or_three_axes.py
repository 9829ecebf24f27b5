"""Handles matrices and one leading axis, but not two.
expect: exception
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.ndim == 2:
        scores = q @ k.T
    else:
        scores = np.einsum("bid,bjd->bij", q, k)
    scores = scores / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, v)
    return output, weights
