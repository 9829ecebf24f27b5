"""Writes into one module-wide buffer per shape, so a later call overwrites an earlier result.
expect: wrong_value
"""
import numpy as np

buffers = {}


def softmax(x, axis=-1):
    out = buffers.setdefault(x.shape, np.empty(x.shape))
    np.exp(x - x.max(axis=axis, keepdims=True), out=out)
    out /= out.sum(axis=axis, keepdims=True)
    return out
