"""Shifts the caller's own array in place."""

import numpy as np


def softmax(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    e /= e.sum(axis=axis, keepdims=True)
    return e
