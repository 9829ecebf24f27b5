"""Branches on `if axis`, so that axis 0 has its weights shared among all entries.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    if axis:
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)
    e = np.exp(x - x.max())
    return e / e.sum()
