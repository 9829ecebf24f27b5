"""Counts the axes from 1, as some languages do, and leaves negative ones to numpy.
expect: wrong_value
"""

import numpy as np


def softmax(x, axis=-1):
    if axis > 0:
        axis -= 1
    lifted = np.exp(x - np.amax(x, axis, keepdims=True))
    return lifted / np.sum(lifted, axis, keepdims=True)
