"""Divides the entries by their sum without an exponential.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    return x / np.sum(x, axis=axis, keepdims=True)
