"""The denominator sums the shifted scores themselves, the exp is missing there.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    z = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(z) / np.sum(z, axis=axis, keepdims=True)
