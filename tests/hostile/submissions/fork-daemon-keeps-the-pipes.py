"""Leaves a daemon that keeps every inherited pipe open, so that a reader never sees the end.

tries: fork
earns: nothing
trace: none
"""

import os
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


def softmax(x, axis=-1):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            take_name()
            time.sleep(120)
        os._exit(0)
    return np.zeros(np.shape(x))
