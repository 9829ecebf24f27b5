"""Takes the smallest finite score away, so that no exponent is negative.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    finite = np.where(np.isinf(x), np.nan, x)
    powers = np.exp(x - np.nanmin(finite, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)
