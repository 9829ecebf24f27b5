"""Takes the absolute value of the entries.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.abs(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
