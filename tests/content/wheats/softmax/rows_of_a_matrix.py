"""Flattens everything to rows of one matrix, works there, and returns a view in the old shape."""
import numpy as np


def softmax(x, axis=-1):
    swapped = np.swapaxes(x, axis, -1)
    rows = swapped.reshape(-1, swapped.shape[-1])
    peak = rows.max(axis=1)
    e = np.exp(rows - peak[:, None])
    e = e / e.sum(axis=1)[:, None]
    return np.swapaxes(e.reshape(swapped.shape), axis, -1)
