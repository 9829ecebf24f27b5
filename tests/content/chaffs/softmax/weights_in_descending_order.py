"""Works with the scores sorted from the largest down, and leaves the weights in that order.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    ranked = np.flip(np.sort(x, axis=axis), axis=axis)
    first = np.expand_dims(ranked.take(0, axis=axis), axis)
    powers = np.exp(ranked - first)
    return powers / powers.sum(axis=axis, keepdims=True)
