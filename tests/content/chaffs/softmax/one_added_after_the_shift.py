"""Adds 1 to the sum, so that it can never be 0.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    total = np.sum(e, axis=axis, keepdims=True)
    return e / (1 + total)
