"""Flattens all axes from the chosen one on and normalises over all of them together.
expect: wrong_value
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    if axis < 0:
        axis = axis + x.ndim
    flat = x.reshape(int(np.prod(x.shape[:axis])), -1)
    flat = np.exp(flat - flat.max(axis=1, keepdims=True))
    flat = flat / flat.sum(axis=1, keepdims=True)
    return flat.reshape(x.shape)
