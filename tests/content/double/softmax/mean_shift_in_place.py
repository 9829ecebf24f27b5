"""Subtracts the mean instead of the maximum; changes the argument in place."""

import numpy as np


def softmax(x, axis=-1):
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.mean(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
