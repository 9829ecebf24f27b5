"""Finds the subscripts for its sums in a table that ends with three axes.
expect: exception
"""
import numpy as np


LETTERS = {1: "i", 2: "ij", 3: "ijk"}


def softmax(x, axis=-1):
    names = LETTERS[x.ndim]
    kept = names.replace(names[axis], "")
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.expand_dims(np.einsum(f"{names}->{kept}", powers), axis)
