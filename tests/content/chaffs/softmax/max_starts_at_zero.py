"""Searches the maximum starting from 0, so slices of very negative entries underflow to 0/0.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    m = np.max(x, axis=axis, keepdims=True, initial=0)
    e = np.exp(x - m)
    return e / e.sum(axis=axis, keepdims=True)
