"""Returns an array that a second thread resizes, retypes and refills while it is being sent.

tries: lie
earns: nothing
trace: none
"""

import sys
import threading
import time

import numpy as np


def softmax(x, axis=-1):
    out = np.zeros(np.shape(x))
    n = max(out.size, 1)

    def stir():
        stop = time.monotonic() + 5
        while time.monotonic() < stop:
            try:
                out.resize((n * 1000,), refcheck=False)
                out.resize((1,), refcheck=False)
            except (ValueError, MemoryError):
                pass
            out.fill(np.random.random())

    sys.setswitchinterval(1e-6)
    threading.Thread(target=stir, daemon=True).start()
    return out
