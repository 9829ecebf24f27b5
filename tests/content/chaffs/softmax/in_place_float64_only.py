"""np.asarray(x, dtype=float) copies integers and float32 but not float64, which is then changed.
expect: changed_input
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
