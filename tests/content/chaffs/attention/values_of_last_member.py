"""A list of the values of each member is left at the last one when the outputs are made.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores if mask is None else np.where(mask, scores, -np.inf))
    values = v
    for values in v.reshape(-1, *v.shape[-2:]):
        pass
    return weights @ values, weights
