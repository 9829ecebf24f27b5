"""Fills np.zeros_like(x), which is an integer array when x is one.
expect: wrong_type
"""
import numpy as np


def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    out = np.zeros_like(rows)
    for i in np.ndindex(rows.shape[:-1]):
        e = np.exp(rows[i] - rows[i].max())
        out[i] = e / e.sum()
    return np.moveaxis(out, -1, axis)
