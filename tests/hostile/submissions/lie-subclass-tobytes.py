"""Returns an ndarray subclass whose shape, dtype, tobytes, size and flags are false and do not fit each other.

tries: lie
earns: nothing
trace: none
"""

import numpy as np


class Forged(np.ndarray):
    @property
    def shape(self):
        return (2**40, 2**40)

    @property
    def nbytes(self):
        return -8

    @property
    def size(self):
        return 2**62

    @property
    def ndim(self):
        return 10**6

    @property
    def dtype(self):
        return np.dtype("V1000000000")

    def tobytes(self, *args, **kwargs):
        return b"short"

    def tolist(self):
        raise SystemExit(0)

    def __len__(self):
        return 2**61

    def __buffer__(self, flags):
        raise SystemExit(0)


def softmax(x, axis=-1):
    return np.zeros(np.shape(x)).view(Forged)
