"""Puts one more score of -inf behind each slice, which gets no weight, and takes it away again."""
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    none = np.full(x.shape[:-1] + (1,), -np.inf)
    with_none = np.concatenate([x, none], axis=-1)
    e = np.exp(with_none - with_none.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.moveaxis(weights[..., :-1], -1, axis)
