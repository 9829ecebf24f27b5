"""Installs handlers for every signal that do nothing but return, SIGXCPU and SIGALRM too, and burns CPU.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import signal
import time

for number in signal.valid_signals():
    try:
        signal.signal(number, lambda *args: None)
    except (OSError, ValueError):
        pass


def softmax(x, axis=-1):
    stop = time.monotonic() + 120
    while time.monotonic() < stop:
        sum(range(100_000))
