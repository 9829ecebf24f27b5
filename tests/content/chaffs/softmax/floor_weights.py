"""Keeps every weight at 1e-12 or above, so -inf does not get exactly 0.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.maximum(e / e.sum(axis=axis, keepdims=True), 1e-12)
