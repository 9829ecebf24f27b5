"""A streaming softmax that does not rescale the running sum when the maximum grows.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, 0)
    m = x[0]
    total = np.ones_like(m)
    for value in x[1:]:
        m = np.maximum(m, value)
        total = total + np.exp(value - m)
    return np.moveaxis(np.exp(x - m) / total, 0, axis)
