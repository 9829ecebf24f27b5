"""The axis argument is never used; it is always the last axis."""
import numpy as np


def softmax(x, axis=-1):
    shifted = x - x.max(-1, keepdims=True)
    p = np.exp(shifted)
    p /= p.sum(-1, keepdims=True)
    return p
