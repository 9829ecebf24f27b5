"""Sorts the scores from the largest down, and indexes the weights with the same order once more to put them back.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    order = np.argsort(-x, axis=axis)
    falling = np.take_along_axis(x, order, axis=axis)
    e = np.exp(falling - np.take(falling, [0], axis=axis))
    weights = e / e.sum(axis=axis, keepdims=True)
    return np.take_along_axis(weights, order, axis=axis)
