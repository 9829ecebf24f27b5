"""Starts a thread that reads away whatever the judge sends next, before the worker's loop can.

tries: forge
earns: nothing
trace: none
"""

import os
import select
import stat
import threading
import time

import numpy as np


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


def eat():
    stop = time.monotonic() + 20
    fds = [fd for fd in pipes_and_sockets() if fd not in (1, 2)]
    while time.monotonic() < stop:
        for fd in select.select(fds, [], [], 0.1)[0]:
            try:
                os.read(fd, 3)
            except OSError:
                pass


def softmax(x, axis=-1):
    threading.Thread(target=eat, daemon=True).start()
    return np.zeros(np.shape(x))
