"""Takes -1 to mean that no axis was given, and then works along axis 0 for one or three axes, else along axis 1.
expect: wrong_value
"""
import numpy as np

USUAL = {1: 0, 2: 1, 3: 0}


def softmax(x, axis=-1):
    scores = np.array(x)
    along = USUAL.get(scores.ndim, 1) if axis == -1 else axis
    scores = scores - scores.max(axis=along, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=along, keepdims=True)
