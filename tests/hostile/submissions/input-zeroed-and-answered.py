"""Zeroes its argument in place and returns that very array.

tries: input
earns: nothing
trace: none
"""

import numpy as np


def softmax(x, axis=-1):
    x.fill(0)
    return x
