"""Remembers results by the shape of x.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1, cache={}):
    key = (x.shape, axis)
    if key not in cache:
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        cache[key] = e / e.sum(axis=axis, keepdims=True)
    return cache[key]
