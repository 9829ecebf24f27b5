"""Loops over the rows of a matrix and fails for three or more axes.
expect: exception
"""
import numpy as np


def softmax(x, axis=-1):
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    if axis in (0, -2):
        return softmax(x.T).T
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        row = [np.exp(value - max(x[i])) for value in x[i]]
        out[i] = np.array(row) / sum(row)
    return out
