"""The default of axis is 0, not -1.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=0):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
