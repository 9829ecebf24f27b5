"""Truncates the shifted entries to integers before the exponential, which is right for integer input only.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    shifted = (x - np.max(x, axis=axis, keepdims=True)).astype(int)
    e = np.exp(shifted)
    return e / e.sum(axis=axis, keepdims=True)
