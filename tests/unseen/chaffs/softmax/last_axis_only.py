"""The axis argument is never used."""

import numpy as np


def softmax(x, axis=-1):
    biggest = np.max(x, axis=-1, keepdims=True)
    num = np.exp(x - biggest)
    den = np.sum(num, axis=-1, keepdims=True)
    return num / den
