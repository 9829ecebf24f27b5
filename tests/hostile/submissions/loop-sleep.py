"""Sleeps instead of working: no CPU time is used.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import time


def softmax(x, axis=-1):
    time.sleep(100_000)
