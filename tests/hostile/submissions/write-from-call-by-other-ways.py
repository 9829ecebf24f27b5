"""Creates, links, renames, makes folders, FIFOs and sockets and maps memory in the trace folder.

tries: write
earns: nothing
trace: @@TRACE@@/other-ways
needs: filesystem
"""

import mmap
import os
import shutil
import socket
import sqlite3
import tempfile

import numpy as np

base = "@@TRACE@@/other-ways"


def mapped():
    fd = os.open(base + "-map", os.O_RDWR | os.O_CREAT)
    os.ftruncate(fd, 4096)
    mmap.mmap(fd, 4096)[:5] = b"pwned"


def listening():
    sock = socket.socket(socket.AF_UNIX)
    sock.bind(base + "-sock")


def softmax(x, axis=-1):
    for act in (
        lambda: os.mkdir(base),
        lambda: os.mkfifo(base + "-fifo"),
        lambda: os.symlink("/etc/passwd", base + "-symlink"),
        lambda: os.link(__file__, base + "-link"),
        lambda: os.mknod(base + "-node"),
        lambda: shutil.copy(__file__, base + "-copy"),
        lambda: tempfile.NamedTemporaryFile(dir="@@TRACE@@", delete=False),
        lambda: sqlite3.connect(base + ".sqlite").execute("create table pwned (a)"),
        lambda: np.save(base + ".npy", np.zeros(1)),
        lambda: np.memmap(base + ".mm", mode="w+", shape=(8,)),
        lambda: os.open("@@TRACE@@", os.O_TMPFILE | os.O_RDWR),
        mapped,
        listening,
    ):
        try:
            act()
        except Exception:
            pass
    return np.zeros(np.shape(x))
