"""The function has another name.
expect: missing_function
"""
import numpy as np


def soft_max(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
