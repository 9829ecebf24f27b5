"""The output is right but the weights returned are those before the mask.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2))
    scores = scores / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=-1)
    masked = scores if mask is None else np.where(mask, scores, -np.inf)
    output = np.matmul(softmax(masked), v)
    return output, weights
