"""Starts a pool and managers of multiprocessing that outlive the call.

tries: fork
earns: nothing
trace: none
hangs: exit
"""

import multiprocessing
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


def work():
    take_name()
    time.sleep(120)


def softmax(x, axis=-1):
    context = multiprocessing.get_context("fork")
    for _ in range(4):
        context.Process(target=work, daemon=False).start()
    return np.zeros(np.shape(x))
