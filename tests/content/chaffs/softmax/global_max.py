"""Subtracts the maximum of the whole array instead of each slice's, so low slices underflow to 0/0.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e, axis=axis, keepdims=True)
