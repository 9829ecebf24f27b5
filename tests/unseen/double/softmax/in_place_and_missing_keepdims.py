"""The shift changes the argument, and the sum loses its axis."""
import numpy as np


def softmax(x, axis=-1):
    m = np.max(x, axis=axis, keepdims=True)
    if np.issubdtype(x.dtype, np.integer):
        x = x.astype(np.float64)
    x -= m
    e = np.exp(x)
    return e / e.sum(axis=axis)
