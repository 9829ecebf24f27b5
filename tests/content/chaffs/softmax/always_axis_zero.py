"""Always works along axis 0.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = x - x.max(axis=0)
    return np.exp(x) / np.exp(x).sum(axis=0)
