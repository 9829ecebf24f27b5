"""Has a branch for vectors, one for matrices and one for everything else, and all of them heed axis."""
import numpy as np


def softmax(x, axis=-1):
    if x.ndim == 1:
        powers = np.exp(x - x.max())
        return powers / powers.sum()
    if x.ndim == 2:
        rows = x if axis in (-1, 1) else x.T
        powers = np.exp(rows - rows.max(axis=1)[:, None])
        weights = powers / powers.sum(axis=1)[:, None]
        return weights if axis in (-1, 1) else weights.T
    last = np.moveaxis(x, axis, -1)
    return np.moveaxis(softmax(last.reshape(-1, last.shape[-1])).reshape(last.shape), -1, axis)
