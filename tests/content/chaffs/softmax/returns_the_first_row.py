"""Hands back the weights of the first slice, and never comes to the others.
expect: wrong_shape
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.swapaxes(x, axis, -1)
    for row in x.reshape(-1, x.shape[-1]):
        e = np.exp(row - row.max())
        return e / e.sum()
