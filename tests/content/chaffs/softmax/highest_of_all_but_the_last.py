"""Looks for the largest of all scores but the last one of each slice.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    others = np.delete(x, -1, axis=axis) if x.shape[axis] > 1 else x
    powers = np.exp(x - others.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
