"""Cuts the array into rows as long as the axis, but never brings the axis to the end.
expect: wrong_value
"""

import numpy as np


def softmax(x, axis=-1):
    length = np.shape(x)[axis]
    rows = np.reshape(np.asarray(x, dtype=np.float64), (-1, length))
    powers = np.exp(rows - rows.max(axis=1)[:, np.newaxis])
    shares = powers / powers.sum(axis=1)[:, np.newaxis]
    return shares.reshape(np.shape(x))
