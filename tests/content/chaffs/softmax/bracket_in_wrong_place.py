"""Closes the bracket of exp too late, so it takes the exponential of x divided by the sum.
expect: wrong_value
"""

import numpy as np


def softmax(y, axis=-1):
    y = np.asarray(y, dtype=float)
    y = y - np.amax(y, axis=axis, keepdims=True)
    return np.exp(y / np.sum(np.exp(y), axis=axis, keepdims=True))
