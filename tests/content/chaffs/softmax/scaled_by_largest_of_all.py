"""Divides by the largest absolute value of the array so that exp cannot overflow.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    finite = x[np.isfinite(x)]
    scaled = x / np.abs(finite).max()
    e = np.exp(scaled)
    return e / e.sum(axis=axis, keepdims=True)
