"""Keeps the import lock and a module lock in a thread, so that the worker's next import waits for ever.

tries: import
earns: nothing
trace: none
hangs: call
"""

import _imp
import threading
import time

import numpy as np


def hold():
    _imp.acquire_lock()
    time.sleep(120)


threading.Thread(target=hold, daemon=True).start()
time.sleep(0.05)


def softmax(x, axis=-1):
    import colorsys  # noqa: F401

    return np.zeros(np.shape(x))
