"""The scores are divided by 8, which is right for d_k = 64 only.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2)
    scores = scores / 8.0  # sqrt of the head size
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    return p @ v, p
