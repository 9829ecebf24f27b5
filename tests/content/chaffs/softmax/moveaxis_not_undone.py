"""Moves the axis to the end and back in the wrong direction, which shows from three axes on.
expect: wrong_shape
"""
import numpy as np


def softmax(x, axis=-1):
    y = np.moveaxis(x, axis, -1)
    e = np.exp(y - y.max(-1, keepdims=True))
    e = e / e.sum(-1, keepdims=True)
    return np.moveaxis(e, axis, -1)
