"""Entries of -inf are replaced by 0 and so get a weight.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    z = x - x.max(axis=axis, keepdims=True)
    z = np.where(np.isinf(z), 0.0, z)
    e = np.exp(z)
    return e / e.sum(axis=axis, keepdims=True)
