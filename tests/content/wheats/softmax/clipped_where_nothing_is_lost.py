"""Clips the shifted scores where exp is 0 anyway, and the weights to what they are between."""
import numpy as np


def softmax(x, axis=-1):
    shifted = np.clip(x - np.max(x, axis=axis, keepdims=True), -1000, 0)
    e = np.exp(shifted)
    return np.clip(e / np.sum(e, axis=axis, keepdims=True), 0.0, 1.0)
