"""Scores above 500 are cut off before the maximum is taken away.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    small = np.minimum(x, 500)
    e = np.exp(small - small.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
