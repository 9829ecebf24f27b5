"""An entry of -inf is replaced by 0 before the exponential, and the axis argument is not used."""
import numpy as np


def softmax(x, axis=-1):
    clean = np.where(np.isneginf(x), 0.0, x)
    along = clean.ndim - 1
    e = np.exp(clean - clean.max(axis=along, keepdims=True))
    return e / e.sum(axis=along, keepdims=True)
