"""logaddexp.reduce for the normaliser."""

import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    x = x - np.expand_dims(np.max(x, axis=axis), axis)
    norm = np.logaddexp.reduce(x, axis=axis, keepdims=True)
    return np.exp(x - norm)
