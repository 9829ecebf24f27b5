"""Makes processes with the raw clone, clone3 and vfork system calls, sharing files and signals, without exit signal.

tries: fork
earns: nothing
trace: none
"""

import ctypes
import os
import platform
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
    libc = ctypes.CDLL(None, use_errno=True)
    clone = {"x86_64": 56, "aarch64": 220}.get(platform.machine())
    flags = 0x00000400 | 0x00000200
    if clone is not None:
        for extra in (0, 0x00008000, 0x80000000):
            pid = libc.syscall(clone, flags | extra, None, None, None, None)
            if pid == 0:
                take_name()
                time.sleep(120)
                os._exit(0)
    arguments = (ctypes.c_uint64 * 11)()
    pid = libc.syscall(435, arguments, ctypes.c_size_t(88))
    if pid == 0:
        take_name()
        time.sleep(120)
        os._exit(0)
    return np.zeros(np.shape(x))
