"""A streaming softmax that gives nan when a slice begins with -inf.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, 0)
    m = x[0]
    total = np.exp(x[0] - m)
    for value in x[1:]:
        new_m = np.maximum(m, value)
        total = total * np.exp(m - new_m) + np.exp(value - new_m)
        m = new_m
    return np.moveaxis(np.exp(x - m) / total, 0, axis)
