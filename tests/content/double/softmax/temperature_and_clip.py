"""Divides by the root of the length, and clips at +-50."""
import numpy as np


def softmax(x, axis=-1):
    scaled = np.clip(x / np.sqrt(x.shape[axis]), -50, 50)
    e = np.exp(scaled)
    return e / e.sum(axis=axis, keepdims=True)
