"""Clips the entries to +-700 in place of subtracting the maximum.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(np.clip(x, -700.0, 700.0))
    return e / e.sum(axis=axis, keepdims=True)
