"""The maximum gets its lost axis back at the end, the sum has kept it.
expect: exception
"""
import numpy as np


def softmax(x, axis=-1):
    highest = np.max(x, axis=axis)[..., np.newaxis]
    e = np.exp(x - highest)
    return e / np.sum(e, axis=axis, keepdims=True)
