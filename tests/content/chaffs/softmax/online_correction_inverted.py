"""Rescales the running sum by the inverse of the right factor when the running maximum grows.
expect: wrong_value
"""

import numpy as np


def _row(r):
    m, total = r[0], 1.0
    for s in r[1:]:
        new = max(m, s)
        if new == -np.inf:
            total += 1.0
            continue
        total = total * np.exp(new - m if m > -np.inf else 0.0) + np.exp(s - new)
        m = new
    return np.exp(r - m) / total


def softmax(x, axis=-1):
    return np.apply_along_axis(_row, axis, np.asarray(x, dtype=float))
