"""Keeps the largest entry ever seen in a global and subtracts that.
expect: wrong_value
"""
import numpy as np

largest = -np.inf


def softmax(x, axis=-1):
    global largest
    largest = max(largest, x.max())
    m = np.maximum(x.max(axis=axis, keepdims=True), largest)
    e = np.exp(x - m)
    return e / e.sum(axis=axis, keepdims=True)
