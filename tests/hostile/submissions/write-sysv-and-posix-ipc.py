"""Leaves System V shared memory, semaphores and message queues, POSIX shared memory and a message queue.

tries: write
earns: nothing
trace: /dev/shm/@@MARK@@
needs: ipc-namespace
"""

import ctypes
import os

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)
key = 0x6772646D
for act in (
    lambda: libc.shmget(key, 4096, 0o1666),
    lambda: libc.semget(key, 1, 0o1666),
    lambda: libc.msgget(key, 0o1666),
    lambda: libc.mq_open(b"/@@MARK@@", os.O_CREAT | os.O_RDWR, 0o666, None),
    lambda: libc.shm_open(b"/@@MARK@@", os.O_CREAT | os.O_RDWR, 0o666),
):
    try:
        act()
    except AttributeError:
        pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
