"""Returns a one-hot row when the largest score is above 700.
expect: wrong_value
"""

import numpy as np


def _row(r):
    top = r.max()
    if top > 700:
        # exp would overflow; the winner takes it all anyway
        hot = np.zeros(len(r))
        hot[np.argmax(r)] = 1.0
        return hot
    e = np.exp(r - max(top, -1e300))
    return e / e.sum()


def softmax(x, axis=-1):
    return np.apply_along_axis(_row, axis, np.asarray(x, dtype=float))
