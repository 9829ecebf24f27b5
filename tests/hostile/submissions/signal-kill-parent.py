"""Kills its parent, the process that forks for the next exercise, and waits to be adopted.

tries: signal
earns: nothing
trace: none
"""

import os
import signal
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
    parent = os.getppid()
    with open(f"/proc/{parent}/comm") as comm, open(f"/proc/{parent}/cmdline", "rb") as line:
        if not comm.read().startswith("python") or b"pytest" in line.read():
            raise RuntimeError("refused: the parent is no worker")
    take_name()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        try:
            os.kill(parent, number)
        except OSError:
            pass
    time.sleep(0.2)
    return np.zeros(np.shape(x))
