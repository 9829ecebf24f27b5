"""Subtracts a log-sum-exp and exponentiates last."""

import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=np.float64)
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
