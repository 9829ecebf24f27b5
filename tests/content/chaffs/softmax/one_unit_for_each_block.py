"""Moves the axis to the end and loops over the first axis, with one maximum and one sum for each block.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    rows = np.atleast_2d(np.moveaxis(np.array(x, dtype=float), axis, -1))
    for block in rows:
        block -= block.max()
        np.exp(block, out=block)
        block /= block.sum()
    return np.moveaxis(rows, -1, axis) if np.ndim(x) > 1 else rows[0]
