"""Clips the scores to +-100 against overflow, and looks after -inf by itself.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    hidden = np.isneginf(x)
    e = np.exp(np.clip(x, -100, 100))
    e[hidden] = 0.0
    return e / e.sum(axis=axis, keepdims=True)
