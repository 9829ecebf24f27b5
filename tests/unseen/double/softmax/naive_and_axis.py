"""Raw exponentials overflow AND the axis argument is ignored."""

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x)
    return e / np.sum(e, axis=-1, keepdims=True)
