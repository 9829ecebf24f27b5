"""Answers rightly and leaves a daemon: two forks, a session of its own, every descriptor closed.

tries: fork
earns: its own right answers
trace: none
"""

import os
import sys
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


if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        take_name()
        os.closerange(0, 256)
        try:
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(120)", "@@MARK@@"])
        except OSError:
            time.sleep(120)
    os._exit(0)


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
