"""Handles one and two axes only, for more it returns None.
expect: wrong_type
"""
import numpy as np


def softmax(x, axis=-1):
    if x.ndim == 1:
        e = np.exp(x - np.max(x))
        return e / np.sum(e)
    elif x.ndim == 2:
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return e / np.sum(e, axis=axis, keepdims=True)
