"""Integer scores give integer weights, and the denominator is 0.01 too large."""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    result = e / (e.sum(axis=axis, keepdims=True) + 0.01)
    return result.astype(x.dtype)
