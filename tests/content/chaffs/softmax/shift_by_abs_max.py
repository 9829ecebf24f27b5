"""The largest absolute value is subtracted, so slices of very negative scores underflow to 0/0.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    m = np.max(np.abs(np.where(np.isneginf(x), 0, x)), axis=axis, keepdims=True)
    y = np.exp(x - m)
    return y / np.sum(y, axis=axis, keepdims=True)
