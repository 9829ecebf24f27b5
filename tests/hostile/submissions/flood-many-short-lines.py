"""Prints millions of empty lines and single control characters.

tries: flood
earns: nothing
trace: none
"""

import os


def softmax(x, axis=-1):
    for _ in range(2000):
        os.write(1, b"\n" * 4096 + b"\r\x00\x1b\x9b" * 1024)
    return [0.0]
