"""The maximum has lost its axis, the sum has kept it.
expect: exception
"""
import numpy as np


def softmax(x, axis=-1):
    highest = np.max(x, axis=axis)
    e = np.exp(x - highest)
    return e / np.sum(e, axis=axis, keepdims=True)
