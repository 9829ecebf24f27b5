"""Transposes the array for any axis but the last, which is wrong for a middle axis.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    if axis not in (-1, x.ndim - 1):
        return softmax(x.T, axis=-1).T
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
