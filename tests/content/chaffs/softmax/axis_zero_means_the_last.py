"""Asks whether there is an axis with `not axis`, so 0 counts as none and the last axis is taken.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=None):
    if not axis:
        axis = x.ndim - 1
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
