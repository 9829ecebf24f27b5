"""Moves the axis to the front so that plain broadcasting works without keepdims."""

import numpy as np


def softmax(x, axis=-1):
    front = np.moveaxis(np.asarray(x), axis, 0)
    e = np.exp(front - front.max(0))
    e = e / e.sum(0)
    return np.moveaxis(e, 0, axis)
