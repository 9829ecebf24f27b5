"""Finds the largest score of each slice by sorting, and adds the exponentials with cumsum."""

import numpy as np


def softmax(x, axis=-1):
    m = np.take(np.sort(x, axis=axis), [-1], axis=axis)
    e = np.exp(x - m)
    total = np.take(np.cumsum(e, axis=axis), [-1], axis=axis)
    return e / total
