"""Subtracts the maximum less 5, which cancels as well and cannot overflow."""

import numpy as np


def softmax(x, axis=-1):
    z = np.exp(x - (np.max(x, axis=axis, keepdims=True) - 5.0))
    return z / np.add.reduce(z, axis=axis, keepdims=True)
