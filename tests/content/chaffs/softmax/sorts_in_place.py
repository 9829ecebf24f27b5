"""Sorts x itself to have the largest score last, and goes on with the sorted scores.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x.sort(axis)
    top = np.take(x, indices=[x.shape[axis] - 1], axis=axis)
    powers = np.exp(x - top)
    return powers / np.sum(powers, axis=axis, keepdims=True)
