"""Subtracts no maximum, and fills an array of the type of x."""
import numpy as np


def softmax(x, axis=-1):
    out = np.zeros_like(x)
    e = np.exp(x)
    out[...] = e / e.sum(axis=axis, keepdims=True)
    return out
