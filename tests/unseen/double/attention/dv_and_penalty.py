"""Scales by the width of the values AND takes just 10 from hidden scores."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores - 10 * np.logical_not(mask)
    weights = softmax(scores)
    return np.matmul(weights, v), weights
