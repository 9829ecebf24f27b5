"""Rolls the axis to the front, and back to the place before the one it came from.
expect: wrong_shape
"""
import numpy as np


def softmax(x, axis=-1):
    rolled = np.rollaxis(x, axis)
    powers = np.exp(rolled - rolled.max(axis=0))
    weights = powers / powers.sum(axis=0)
    return np.rollaxis(weights, 0, axis)
