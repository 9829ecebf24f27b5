"""Prints bytes that are no text in any encoding, cut in the middle of characters at block borders.

tries: flood
earns: nothing
trace: none
"""

import os

import numpy as np


def softmax(x, axis=-1):
    os.write(1, b"\xff\xfe\x00\xd8" * 1000 + b"\xe2\x82" + b"\xf4\x90\x80\x80" + b"\xed\xa0\x80")
    os.write(2, b"a" * 65535 + "\u20ac".encode() * 10 + b"\xc3")
    return np.zeros(np.shape(x))
