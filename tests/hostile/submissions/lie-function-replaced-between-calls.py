"""Replaces its own function, code object and module dictionary on every call.

tries: lie
earns: nothing
trace: none
"""

import sys

import numpy as np


def other(x, axis=-1):
    globals()["softmax"] = sys.exit
    return np.zeros(np.shape(x))


def softmax(x, axis=-1):
    globals()["softmax"] = other
    softmax.__code__ = other.__code__
    sys.modules.pop(__name__, None)
    return np.ones(np.shape(x)) * 2
