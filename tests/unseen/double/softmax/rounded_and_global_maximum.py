"""The weights are rounded to three places, and one maximum serves all rows."""
import numpy as np


def softmax(x, axis=-1):
    peak = np.max(x)
    e = np.exp(x - peak)
    w = e / np.sum(e, axis=axis, keepdims=True)
    return np.round(w, 3)
