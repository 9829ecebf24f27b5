"""Fills forbidden places with the smallest score of the array.
expect: wrong_value
"""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        lowest = s.min()
        s = np.where(mask, s, lowest)
    w = softmax(s)
    return w @ v, w
