"""Sets masked weights to 0 after the softmax, and the rows no longer sum to 1.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2))
    scores = scores / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=-1)
    if mask is not None:
        weights = weights * mask
    output = np.matmul(weights, v)
    return output, weights
