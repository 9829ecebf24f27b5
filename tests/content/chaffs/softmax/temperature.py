"""Divides the entries by the square root of their number first.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = x / np.sqrt(x.shape[axis])
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
