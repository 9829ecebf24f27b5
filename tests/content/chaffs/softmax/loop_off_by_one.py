"""The loop that sums the exponentials stops one entry early.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    rows = np.swapaxes(x, axis, -1)
    rows = np.exp(rows - rows.max(-1)[..., None])
    total = np.zeros(rows.shape[:-1])
    for j in range(rows.shape[-1] - 1):
        total = total + rows[..., j]
    with np.errstate(divide="ignore"):
        return np.swapaxes(rows / total[..., None], axis, -1)
