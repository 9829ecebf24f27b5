"""Lets each slice keep some weight back, as if there were one more score of 0.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    none = np.zeros(x.shape[:-1] + (1,))
    with_none = np.concatenate([x, none], axis=-1)
    e = np.exp(with_none - with_none.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.moveaxis(weights[..., :-1], -1, axis)
