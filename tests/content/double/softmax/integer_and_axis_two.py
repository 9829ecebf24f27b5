"""Sums over axis 0 for every input of two axes; stores the weights in an integer array when the scores are integers."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x)
    f = x.astype(float)
    if x.ndim == 2:
        axis = 0
    f = np.exp(f - f.max(axis=axis, keepdims=True))
    out = np.empty(x.shape, dtype=x.dtype)
    out[...] = f / f.sum(axis=axis, keepdims=True)
    return out
