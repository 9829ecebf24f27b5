"""Answers rightly, but hangs in atexit, in a __del__ at shutdown and in a thread's end.

tries: loop
earns: its own right answers
trace: none
hangs: exit
"""

import atexit
import time

import numpy as np


class Hang:
    def __del__(self, sleep=time.sleep):
        sleep(60)


keep = Hang()
atexit.register(time.sleep, 60)


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
