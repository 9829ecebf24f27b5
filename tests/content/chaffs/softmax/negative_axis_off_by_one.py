"""Counts a negative axis from the end with one too few, and only when x has more than two axes.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    if axis < -1 and x.ndim > 2:
        axis = x.ndim + axis - 1
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
