"""Puts the lost axis back with [:, None], which is right only for the last axis of a matrix.
expect: exception
"""
import numpy as np


def softmax(x, axis=-1):
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    e = np.exp(x - x.max(axis=axis)[:, None])
    return e / e.sum(axis=axis)[:, None]
