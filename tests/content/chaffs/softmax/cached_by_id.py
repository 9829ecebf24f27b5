"""Remembers results by id(x), so a changed array gets its old result.
expect: wrong_value
"""
import numpy as np

_seen = {}


def softmax(x, axis=-1):
    key = (id(x), axis)
    if key not in _seen:
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        _seen[key] = (x, e / e.sum(axis=axis, keepdims=True))
    return _seen[key][1].copy()
