"""Ignores axis, and rounds to four digits."""
import numpy as np


def softmax(x, axis=-1):
    m = np.max(x, axis=-1, keepdims=True)
    w = np.exp(x - m)
    w = w / np.sum(w, axis=-1, keepdims=True)
    return np.round(w, 4)
