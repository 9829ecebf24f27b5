"""Clips the entries to +-50 to be safe.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.clip(x, -50, 50)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
