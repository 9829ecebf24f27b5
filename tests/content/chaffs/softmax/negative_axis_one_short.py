"""Turns a negative axis into one from the front, and comes out one too low.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    last = np.ndim(x) - 1
    if axis < 0:
        axis = last + axis
        if axis < 0:
            axis = 0
    shifted = x - np.amax(x, axis, keepdims=True)
    weights = np.exp(shifted)
    weights /= np.sum(weights, axis, keepdims=True)
    return weights
