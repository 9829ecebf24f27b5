"""Turns -inf into 0 before the exponential, so such an entry gets weight.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.nan_to_num(x, neginf=0.0)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
