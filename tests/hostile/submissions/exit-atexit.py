"""Answers rightly, but leaves an atexit function that ends the process with another code.

tries: exit
earns: its own right answers
trace: none
"""

import atexit
import os
import sys

import numpy as np


def bye():
    sys.stderr.write("bye\n")
    os._exit(77)


atexit.register(bye)


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
