"""Hangs inside BLAS: products of matrices that fit in memory but take for ever.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import numpy as np


def softmax(x, axis=-1):
    a = np.ones((3000, 3000))
    out = np.linalg.matrix_power(a, 2**62 - 1)
    return np.linalg.eigvals(out)
