"""Clips the weights away from 0 and 1 and divides by their sum once more.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1, eps=1e-3):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    weights = np.clip(e / e.sum(axis=axis, keepdims=True), eps, 1 - eps)
    return weights / weights.sum(axis=axis, keepdims=True)
