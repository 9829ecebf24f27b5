"""Remembers results by the bytes of x, without the axis: a second axis gets the first one's answer.
expect: wrong_value
"""
import numpy as np

_cache = {}


def softmax(x, axis=-1):
    key = (x.tobytes(), x.shape, str(x.dtype))
    if key not in _cache:
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        _cache[key] = e / e.sum(axis=axis, keepdims=True)
    return _cache[key].copy()
