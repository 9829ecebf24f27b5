"""D_k ** 1 / 2 is d_k / 2 and not the root of d_k.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.shape[-1]
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / (d_k ** 1 / 2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    attention = softmax(scores)
    return np.matmul(attention, v), attention
