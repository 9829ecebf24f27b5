"""One streaming pass keeps a running maximum and a running sum (online softmax)."""
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, 0)
    running_max = np.full(x.shape[1:], -np.inf)
    running_sum = np.zeros(x.shape[1:])
    for value in x:
        new_max = np.maximum(running_max, value)
        # while only -inf has been seen there is nothing to rescale
        safe = np.where(np.isneginf(new_max), 0.0, new_max)
        running_sum = running_sum * np.exp(running_max - safe) + np.exp(value - safe)
        running_max = new_max
    return np.moveaxis(np.exp(x - running_max) / running_sum, 0, axis)
