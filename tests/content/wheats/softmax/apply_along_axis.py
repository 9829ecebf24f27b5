"""A nested one-dimensional function handed to np.apply_along_axis."""
import numpy as np


def softmax(x, axis=-1):
    def one_slice(s):
        e = np.exp(s - s.max())
        return e / e.sum()

    return np.apply_along_axis(one_slice, axis, x)
