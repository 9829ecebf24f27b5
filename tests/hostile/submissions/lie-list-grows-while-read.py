"""Returns a list that a second thread lengthens and shortens while it is being read.

tries: lie
earns: nothing
trace: none
"""

import sys
import threading
import time


def softmax(x, axis=-1):
    out = [0.0] * 1000

    def stir():
        stop = time.monotonic() + 5
        while time.monotonic() < stop:
            out.extend([1.0] * 1000)
            del out[10:]

    sys.setswitchinterval(1e-6)
    threading.Thread(target=stir, daemon=True).start()
    return out
