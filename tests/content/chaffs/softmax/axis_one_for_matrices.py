"""Arrays of two or more axes are always normalised along axis 1.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    if x.ndim == 1:
        tmp = np.exp(x - np.max(x))
        return tmp / np.sum(tmp)
    axis = 1
    tmp = np.max(x, axis=axis, keepdims=True)
    tmp = np.exp(x - tmp)
    return tmp / np.sum(tmp, axis=axis, keepdims=True)
