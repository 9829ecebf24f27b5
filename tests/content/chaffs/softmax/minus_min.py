"""Subtracts the minimum where it should subtract the maximum.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.min(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
