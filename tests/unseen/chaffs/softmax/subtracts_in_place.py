"""The maximum is subtracted in place, which changes the caller's array."""
import numpy as np


def softmax(x, axis=-1):
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    weights = np.exp(x)
    return weights / weights.sum(axis=axis, keepdims=True)
