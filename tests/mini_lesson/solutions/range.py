"""Smallest and largest."""

import numpy as np


def low_and_high(x):
    """Find the smallest and the largest entry.

    >>> [int(part) for part in low_and_high(np.array([2, 1, 3]))]
    [1, 3]
    """
    return np.min(x), np.max(x)
