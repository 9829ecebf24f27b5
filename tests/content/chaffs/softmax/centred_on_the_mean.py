"""Subtracts the mean instead of the maximum, so one high score still overflows.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    finite = np.where(np.isneginf(x), 0, x)
    c = np.mean(finite, axis=axis, keepdims=True)
    e = np.exp(x - c)
    return e / np.sum(e, axis=axis, keepdims=True)
