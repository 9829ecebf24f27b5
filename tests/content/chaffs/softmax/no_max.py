"""Never subtracts the maximum, so large entries overflow.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
