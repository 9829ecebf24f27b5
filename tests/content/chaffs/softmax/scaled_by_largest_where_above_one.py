"""Divides each slice by its largest absolute value where that is above 1.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    size = np.abs(np.where(np.isinf(x), 0, x)).max(axis=axis, keepdims=True)
    e = np.exp(x / np.maximum(size, 1))
    return e / e.sum(axis=axis, keepdims=True)
