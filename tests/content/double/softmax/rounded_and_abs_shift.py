"""The weights are rounded to 3 decimals, and the largest absolute score is subtracted so negative rows underflow."""
import numpy as np


def softmax(x, axis=-1):
    finite = np.where(np.isneginf(x), 0, x)
    m = np.abs(finite).max(axis=axis, keepdims=True)
    e = np.exp(x - m)
    w = e / e.sum(axis=axis, keepdims=True)
    return w.round(3)
