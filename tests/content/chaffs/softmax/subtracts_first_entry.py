"""Subtracts the first entry of the row instead of the largest.
expect: wrong_value
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    # any constant cancels, so just take the first one
    c = np.take(x, [0], axis=axis)
    e = np.exp(x - c)
    return e / np.add.reduce(e, axis=axis, keepdims=True)
