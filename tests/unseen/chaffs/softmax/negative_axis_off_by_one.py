"""A negative axis is turned into a positive one that is one too small."""
import numpy as np


def softmax(x, axis=-1):
    if axis < 0:
        axis = (x.ndim + axis - 1) % x.ndim
    exps = np.exp(x - np.expand_dims(x.max(axis), axis))
    return exps / np.expand_dims(exps.sum(axis), axis)
