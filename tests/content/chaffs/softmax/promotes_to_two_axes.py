"""Returns two axes for an input with one.
expect: wrong_shape
"""

import numpy as np


def softmax(x, axis=-1):
    shape = np.shape(x)
    m = np.atleast_2d(np.asarray(x, dtype=float))
    ax = axis if len(shape) > 1 else 1
    m = np.exp(m - m.max(axis=ax, keepdims=True))
    m = m / m.sum(axis=ax, keepdims=True)
    return m
