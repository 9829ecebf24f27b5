"""Answers rightly and leaves a daemon that goes on printing and writing to every pipe.

tries: fork
earns: its own right answers
trace: none
"""

import os
import select
import stat
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


def pipes_and_sockets():
    """Every inherited descriptor that is a pipe or a socket; plain files are left alone."""
    found = []
    for fd in range(256):
        try:
            mode = os.fstat(fd).st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
            found.append(fd)
    return found


def push(fd, data):
    """Write what fits now; never block, so that the attack is the bytes and not a hang."""
    try:
        if select.select([], [fd], [], 0)[1]:
            return os.write(fd, data)
    except (OSError, ValueError):
        pass
    return 0


if os.fork() == 0:
    os.setsid()
    take_name()
    stop = time.monotonic() + 60
    while time.monotonic() < stop:
        for fd in [1, 2, *pipes_and_sockets()]:
            push(fd, b"still here\n")
        time.sleep(0.02)
    os._exit(0)


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
