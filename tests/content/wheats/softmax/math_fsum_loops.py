"""Plain Python loops with math.exp and math.fsum."""

import math

import numpy as np


def softmax(x, axis=-1):
    moved = np.moveaxis(x, axis, -1)
    weights = np.zeros(moved.shape)
    for index in np.ndindex(*moved.shape[:-1]):
        row = [float(value) for value in moved[index]]
        top = max(row)
        powers = [math.exp(value - top) for value in row]
        total = math.fsum(powers)
        for j, power in enumerate(powers):
            weights[index + (j,)] = power / total
    return np.moveaxis(weights, -1, axis)
