"""Hides the overflow with nan_to_num instead of avoiding it.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(x)
        return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
