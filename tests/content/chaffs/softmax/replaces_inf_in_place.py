"""Replaces -inf by a very low number inside its argument.
expect: changed_input
"""
import numpy as np


def softmax(x, axis=-1):
    if x.dtype.kind == "f":
        x[np.isinf(x)] = -1e30
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
