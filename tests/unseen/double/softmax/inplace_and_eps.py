"""Overwrites the caller's array AND adds an epsilon to the sum."""

import numpy as np


def softmax(x, axis=-1):
    np.subtract(x, x.max(axis=axis, keepdims=True), out=x)
    e = np.exp(x)
    s = e.sum(axis=axis, keepdims=True) + 1e-4
    return e / s
