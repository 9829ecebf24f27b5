"""Adds the logarithm of the mask."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    a = np.matmul(q, k.swapaxes(-1, -2)) / np.sqrt(k.shape[-1])
    if mask is not None:
        with np.errstate(divide="ignore"):
            a = a + np.log(np.asarray(mask, dtype=float))
    p = softmax(a)
    return np.matmul(p, v), p
