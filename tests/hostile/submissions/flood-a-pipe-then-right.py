"""Prints a little more than a pipe holds before each right answer: a judge that does not read meanwhile waits for ever.

tries: flood
earns: its own right answers
trace: none
"""

import sys

import numpy as np


def honest(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax(x, axis=-1):
    sys.stdout.write("o" * 70_000)
    sys.stderr.write("e" * 70_000)
    sys.stdout.flush()
    return honest(x, axis)
