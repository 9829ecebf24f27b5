"""Writes one endless line straight to descriptors 1 and 2, past sys.stdout.

tries: flood
earns: nothing
trace: none
hangs: call
"""

import os


def softmax(x, axis=-1):
    chunk = b"a" * (1 << 20)
    while True:
        os.write(1, chunk)
        os.write(2, chunk)
