"""Subtracts the largest absolute value, so rows of very negative scores underflow to 0/0.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    # guard against overflow
    bound = np.max(np.abs(x), axis=axis, keepdims=True)
    e = np.exp(x - bound)
    s = e.sum(axis=axis, keepdims=True)
    return e / s
