"""Divides by the largest exponential instead of by the sum.
expect: wrong_value
"""
import numpy as np


def normalise(values, axis):
    return values / np.max(values, axis=axis, keepdims=True)


def softmax(x, axis=-1):
    x = x - np.max(x, axis=axis, keepdims=True)
    return normalise(np.exp(x), axis)
