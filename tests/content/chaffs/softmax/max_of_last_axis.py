"""Takes the maximum along the last axis but the sum along axis.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
