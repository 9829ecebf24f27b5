"""Rounds the result to six digits.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.round(e / e.sum(axis=axis, keepdims=True), 6)
