"""Turns a negative axis into a positive one as if there were always two axes."""

import numpy as np


def softmax(x, axis=-1):
    if axis < 0 and np.ndim(x) > 1:
        axis = 2 + axis if axis >= -2 else np.ndim(x) + axis
    x = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)
