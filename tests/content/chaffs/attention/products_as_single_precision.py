"""Multiplies queries and keys in float32; the values stay as they are.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    half_way = np.asarray(q, dtype=np.float32), np.asarray(k, dtype=np.float32)
    scores = half_way[0] @ half_way[1].swapaxes(-1, -2)
    scores /= np.float32(np.sqrt(q.shape[-1]))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
