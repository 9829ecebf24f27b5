"""The queries are compared with the values instead of the keys.
expect: exception
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    score = q @ np.swapaxes(v, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        score = np.where(mask, score, -np.inf)
    weight = softmax(score)
    return weight @ v, weight
