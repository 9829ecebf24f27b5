"""Returns log-softmax instead of softmax, and normalises over the whole array instead of along the axis."""
import numpy as np


def softmax(x, axis=-1):
    z = x - x.max(axis=axis, keepdims=True)
    lse = np.log(np.sum(np.exp(z)))
    return z - lse
