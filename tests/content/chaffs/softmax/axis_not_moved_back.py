"""Moves the axis to the end and forgets to move it back.
expect: wrong_shape
"""
import numpy as np


def softmax(x, axis=-1):
    y = np.swapaxes(x, axis, -1)
    y = y - y.max(-1, keepdims=True)
    y = np.exp(y)
    y = y / y.sum(-1, keepdims=True)
    return y
