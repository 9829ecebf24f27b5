"""Plain Python loops with math.exp over a flattened view of the moved axis."""

import math

import numpy as np


def softmax(x, axis=-1):
    moved = np.moveaxis(x, axis, -1)
    result = np.zeros(moved.shape, dtype=float)
    for idx in np.ndindex(*moved.shape[:-1]):
        row = [float(s) for s in moved[idx]]
        top = max(row)
        e = [math.exp(s - top) for s in row]
        total = math.fsum(e)
        for j, value in enumerate(e):
            result[idx + (j,)] = value / total
    return np.moveaxis(result, -1, axis)
