"""Clips the weights away from 0 and 1, as is done before a logarithm.
expect: wrong_value
"""
import numpy as np


EPS = 1e-7


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    weights = e / e.sum(axis=axis, keepdims=True)
    return np.clip(weights, EPS, 1 - EPS)
