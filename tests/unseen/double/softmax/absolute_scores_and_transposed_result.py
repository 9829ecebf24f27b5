"""The size of a score counts without its sign, and the moved axis is not moved back."""
import numpy as np


def softmax(x, axis=-1):
    t = np.swapaxes(x, axis, -1).astype(float)
    t = np.where(np.isinf(t), t, np.abs(t))
    t = t - t.max(axis=-1, keepdims=True)
    t = np.exp(t)
    t = t / t.sum(axis=-1, keepdims=True)
    return t
