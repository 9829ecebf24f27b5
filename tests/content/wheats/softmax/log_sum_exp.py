"""Goes through the log-sum-exp: softmax is exp(x - logsumexp(x))."""
import numpy as np


def logsumexp(x, axis):
    m = x.max(axis=axis, keepdims=True)
    return m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    return np.exp(x - logsumexp(x, axis))
