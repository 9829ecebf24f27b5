"""Divides by the Euclidean norm instead of the sum.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.linalg.norm(e, axis=axis, keepdims=True)
