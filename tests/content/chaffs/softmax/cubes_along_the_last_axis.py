"""Heeds axis for vectors and matrices, and always takes the last axis of anything larger.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    if x.ndim >= 3:
        rows = x.reshape(-1, x.shape[-1])
        return np.stack([softmax(row) for row in rows]).reshape(x.shape)
    powers = np.exp(x - np.amax(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)
