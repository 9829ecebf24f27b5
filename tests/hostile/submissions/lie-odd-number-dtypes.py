"""Returns bool, complex, float16, longdouble and unsigned zeros, one after another.

tries: lie
earns: nothing
trace: none
"""

import itertools

import numpy as np

turn = itertools.cycle(["?", "F", "D", "G", "e", "g", "B", "u8", "b", ">f4", ">c16"])


def softmax(x, axis=-1):
    return np.zeros(np.shape(x), dtype=next(turn))
