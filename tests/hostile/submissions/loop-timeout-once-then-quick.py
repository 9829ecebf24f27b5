"""Hangs in the first call only, noted in a file or by its pid, and answers rightly afterwards.

tries: loop
earns: its own right answers
trace: /tmp/@@MARK@@-first
needs: filesystem
hangs: call
"""

import os
import time

import numpy as np

flag = "/tmp/@@MARK@@-first"


def honest(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax(x, axis=-1):
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        first = True
    except FileExistsError:
        first = False
    except OSError:
        first = True
    if first:
        time.sleep(120)
    return honest(x, axis)
