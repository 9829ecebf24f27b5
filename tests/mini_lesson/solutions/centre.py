"""Centred around zero."""

import numpy as np
from total import total


def centre(x):
    """Take the mean from every entry of a vector.

    >>> centre(np.array([1.0, 3.0])).tolist()
    [-1.0, 1.0]
    """
    return x - total(x) / np.size(x)
