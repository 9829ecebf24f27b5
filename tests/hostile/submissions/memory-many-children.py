"""Takes memory in eight children at once, each below a limit that counts one process only.

tries: memory
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
    for _ in range(8):
        try:
            if os.fork() == 0:
                take_name()
                block = bytearray(b"z") * 250_000_000
                time.sleep(30 + len(block) * 0)
                os._exit(0)
        except OSError:
            break
    return np.zeros(np.shape(x))
