"""Prints 500 MB while it is imported and then answers zeros.

tries: flood
earns: nothing
trace: none
"""

import sys

import numpy as np

for _ in range(500):
    sys.stdout.write("x" * (1 << 20))


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
