"""Answers rightly, keeps its argument, and changes it from a thread and at the next call.

tries: input
earns: its own right answers
trace: none
"""

import threading
import time

import numpy as np

kept = []


def honest(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def later():
    time.sleep(0.005)
    for array in kept:
        array[...] = 7


def softmax(x, axis=-1):
    for array in kept:
        try:
            array[...] = 7
        except (ValueError, TypeError):
            pass
    kept.append(x)
    threading.Thread(target=later, daemon=True).start()
    return honest(x, axis)
