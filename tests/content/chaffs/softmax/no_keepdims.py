"""Forgets keepdims, so it broadcasts along the wrong axis or not at all.
expect: exception
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)
