"""Forgets the return statement.
expect: wrong_type
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    result = e / np.sum(e, axis=axis, keepdims=True)
