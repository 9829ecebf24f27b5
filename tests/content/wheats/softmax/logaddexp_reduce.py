"""Lets np.logaddexp.reduce find the logarithm of the denominator."""
import numpy as np


def softmax(values, axis=-1):
    values = values.astype(np.float64)
    log_total = np.logaddexp.reduce(values, axis=axis, keepdims=True)
    return np.exp(values - log_total)
