"""Its axis is None by default, and asked about with `is None`."""
import numpy as np


def softmax(x, axis=None):
    if axis is None:
        axis = x.ndim - 1
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
