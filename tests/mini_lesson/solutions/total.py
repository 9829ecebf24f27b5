"""Sums along an axis."""

import numpy as np


def total(x, axis=-1):
    """Sum along one axis.

    >>> total(np.array([1, 2])).tolist()
    3
    """
    return np.sum(x, axis=axis)
