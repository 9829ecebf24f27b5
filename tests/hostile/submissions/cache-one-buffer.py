"""Answers rightly, but always in the same buffer, which each later call overwrites.

tries: cache
earns: its own right answers
trace: none
"""

import numpy as np

buffers = {}


def honest(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax(x, axis=-1):
    out = buffers.setdefault(np.shape(x), np.empty(np.shape(x)))
    out[...] = honest(x, axis)
    return out
