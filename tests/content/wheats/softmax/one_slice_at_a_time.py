"""Fills an array slice by slice, and returns it after the loop."""
import numpy as np


def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    weights = np.zeros(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        powers = np.exp(rows[place] - np.max(rows[place]))
        weights[place] = powers / np.sum(powers)
    return np.moveaxis(weights, -1, axis)
