"""Fills an output buffer of the input's dtype, so integers are truncated."""

import numpy as np


def softmax(x, axis=-1):
    out = np.empty_like(x)
    src = np.moveaxis(x, axis, -1)
    dst = np.moveaxis(out, axis, -1)
    for idx in np.ndindex(src.shape[:-1]):
        row = src[idx]
        e = np.exp(row - row.max())
        dst[idx] = e / e.sum()
    return out
