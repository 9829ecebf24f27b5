"""The denominator is the sum over the whole array."""
import numpy as np


def softmax(x, axis=-1):
    biggest = np.max(x, axis=axis, keepdims=True)
    e = np.exp(x - biggest)
    denominator = np.sum(e)
    return np.true_divide(e, denominator)
