"""Has a branch for rows and one for matrices, and with more axes a name that was never given a value.
expect: exception
"""
import numpy as np


def softmax(x, axis=-1):
    if x.ndim == 1:
        powers = np.exp(x - x.max())
        weights = powers / powers.sum()
    elif x.ndim == 2:
        powers = np.exp(x - x.max(axis=axis, keepdims=True))
        weights = powers / powers.sum(axis=axis, keepdims=True)
    return weights
