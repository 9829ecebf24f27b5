"""Casts the result back to the type of x, which makes integers of the weights.
expect: wrong_type
"""
import numpy as np


def softmax(x, axis=-1):
    z = x.astype(float)
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)
