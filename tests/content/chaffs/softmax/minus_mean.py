"""Subtracts the mean, which keeps small spreads stable but not large ones.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    centred = x - x.mean(axis=axis, keepdims=True)
    e = np.exp(centred)
    return e / e.sum(axis=axis, keepdims=True)
