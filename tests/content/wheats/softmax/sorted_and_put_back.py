"""Works with the scores in sorted order, and puts the weights back to where their scores stood."""
import numpy as np


def softmax(x, axis=-1):
    order = np.argsort(x, axis=axis)
    ranked = np.take_along_axis(x, order, axis)
    powers = np.exp(ranked - np.take(ranked, [-1], axis=axis))
    weights = np.empty(powers.shape, powers.dtype)
    np.put_along_axis(weights, order, powers / powers.sum(axis=axis, keepdims=True), axis)
    return weights
