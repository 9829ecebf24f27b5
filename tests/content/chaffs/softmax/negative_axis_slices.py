"""Cuts the shape at axis + 1, which goes wrong when axis counts from the end.
expect: exception
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    before = int(np.prod(x.shape[:axis]))
    after = int(np.prod(x.shape[axis + 1:]))
    cube = x.reshape(before, x.shape[axis], after)
    m = cube.max(axis=1, keepdims=True)
    e = np.exp(cube - m)
    return (e / e.sum(axis=1, keepdims=True)).reshape(x.shape)
