"""Takes a negative axis for one counted from the front: -1 becomes 0, and -2 becomes 1.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    if axis < 0:
        axis = -axis - 1
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
