"""Puts memory where an address-space limit does not count it: memfd files and pipe buffers, up to 1 GB.

tries: memory
earns: nothing
trace: none
"""

import os

import numpy as np

kept = []


def softmax(x, axis=-1):
    chunk = b"z" * (1 << 20)
    for n in range(8):
        try:
            fd = os.memfd_create(f"@@MARK@@-{n}")
            kept.append(fd)
            for _ in range(16):
                os.write(fd, chunk)
        except OSError:
            break
    return np.zeros(np.shape(x))
