"""Squeezes the scores into the range from 0 to 1 before the exponential.
expect: wrong_value
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    hi = x.max(axis=axis, keepdims=True)
    lo = np.where(np.isfinite(x), x, hi).min(axis=axis, keepdims=True)
    x = (x - hi) / np.maximum(hi - lo, 1.0)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
