"""Answers rightly and prints from threads long after the answer.

tries: flood
earns: its own right answers
trace: none
"""

import sys
import threading
import time

import numpy as np


def chatter():
    stop = time.monotonic() + 20
    while time.monotonic() < stop:
        sys.stdout.write("late\n" * 1000)
        sys.stdout.flush()


threading.Thread(target=chatter, daemon=True).start()


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
