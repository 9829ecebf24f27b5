"""It works in the log domain: the log-sum-exp is subtracted and one exponential is taken at the end."""
import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    m = x.max(axis=axis, keepdims=True)
    lse = m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True))
    # a second pass takes away the rounding error of large scores
    y = np.exp((x - m) - (lse - m))
    return y / y.sum(axis=axis, keepdims=True)
