"""Makes itself a subreaper, clears its parent-death signal and leaves its process group.

tries: fork
earns: nothing
trace: none
"""

import ctypes
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
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(36, 1, 0, 0, 0)
    libc.prctl(1, 0, 0, 0, 0)
    for act in (os.setsid, lambda: os.setpgid(0, 0)):
        try:
            act()
        except OSError:
            pass
    if os.fork() == 0:
        libc.prctl(1, 0, 0, 0, 0)
        take_name()
        time.sleep(120)
        os._exit(0)
    return np.zeros(np.shape(x))
