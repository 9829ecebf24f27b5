"""Computes a sigmoid of each entry and normalises that.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    s = 1 / (1 + np.exp(-np.clip(x, -700, 700)))
    return s / s.sum(axis=axis, keepdims=True)
