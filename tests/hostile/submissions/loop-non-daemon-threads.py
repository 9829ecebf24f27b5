"""Answers at once, but leaves threads that are no daemons and keep the process from ending.

tries: loop
earns: nothing
trace: none
hangs: exit
"""

import threading
import time

import numpy as np


def take_name():
    """Carry the marker where /proc/PID/comm shows it, whatever the command line says."""
    try:
        with open("/proc/self/comm", "w") as comm:
            comm.write("@@MARK@@")
    except OSError:
        pass
    try:
        import ctypes

        ctypes.CDLL(None).prctl(15, b"@@MARK@@", 0, 0, 0)
    except Exception:
        pass


def wait():
    take_name()
    time.sleep(120)


def softmax(x, axis=-1):
    for _ in range(5):
        threading.Thread(target=wait, daemon=False).start()
    return np.zeros(np.shape(x))
