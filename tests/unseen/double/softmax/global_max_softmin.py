"""One extreme for the whole array AND the exponent's sign is flipped."""

import numpy as np


def softmax(x, axis=-1):
    scores = -np.asarray(x, dtype=float)
    top = np.max(scores)
    e = np.exp(scores - top)
    return e / np.sum(e, axis=axis, keepdims=True)
