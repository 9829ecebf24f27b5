"""Waits for a signal that never comes, and waits again if one does.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import signal
import time


def softmax(x, axis=-1):
    stop = time.monotonic() + 120
    signal.signal(signal.SIGTERM, lambda *args: None)
    signal.signal(signal.SIGALRM, lambda *args: None)
    while time.monotonic() < stop:
        signal.sigtimedwait(signal.valid_signals(), 10)
