"""Rolls the axis to the front and back with np.rollaxis, which puts it in front of the place that it is told."""
import numpy as np


def softmax(x, axis=-1):
    place = axis % x.ndim
    rolled = np.rollaxis(x, place)
    powers = np.exp(rolled - rolled.max(axis=0))
    return np.rollaxis(powers / powers.sum(axis=0), 0, place + 1)
