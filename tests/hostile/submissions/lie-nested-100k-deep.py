"""Returns lists nested 100,000 deep, to overflow a recursive encoder or decoder.

tries: lie
earns: nothing
trace: none
"""

import itertools

import numpy as np

turn = itertools.count()


def softmax(x, axis=-1):
    out = 0.0
    for _ in range(100_000):
        out = [out] if next(turn) % 2 else (out,)
    return out
