"""Ignores a mask that has leading axes.
expect: wrong_value
"""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    root = np.sqrt(q.shape[-1])
    s = np.matmul(q / root, np.swapaxes(k, -1, -2))
    if mask is not None and np.ndim(mask) <= 2:
        s = np.where(mask, s, -np.inf)
    a = softmax(s)
    return np.matmul(a, v), a
