"""One maximum is taken for the whole array, so a row far below it underflows to 0 / 0."""
import numpy as np


def softmax(x, axis=-1):
    e_x = np.exp(x - np.max(x))
    return e_x / e_x.sum(axis=axis, keepdims=True)
