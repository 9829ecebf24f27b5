"""Sets weights below 1e-4 to zero and does not renormalise.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    p = e / e.sum(axis=axis, keepdims=True)
    p[p < 1e-4] = 0
    return p
