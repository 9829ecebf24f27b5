"""Uses powers of 2 in place of powers of e.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    p = 2.0 ** (x - x.max(axis=axis, keepdims=True))
    return p / p.sum(axis=axis, keepdims=True)
