"""Puts 1 at the largest entry and 0 elsewhere.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    return (x == np.max(x, axis=axis, keepdims=True)).astype(float)
