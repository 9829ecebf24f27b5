"""The sum loses its axis and so does not line up for the division."""

import numpy as np


def softmax(x, axis=-1):
    m = np.amax(x, axis=axis, keepdims=True)
    ex = np.exp(np.subtract(x, m))
    return ex / ex.sum(axis=axis)
