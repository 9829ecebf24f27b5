"""Listens on an abstract unix socket and connects to those it finds in /proc/net/unix.

tries: network
earns: nothing
trace: none
needs: ipc-namespace
"""

import socket

import numpy as np

kept = socket.socket(socket.AF_UNIX)
try:
    kept.bind("\0@@MARK@@")
    kept.listen()
except OSError:
    pass
try:
    with open("/proc/net/unix") as file:
        names = [line.split()[-1] for line in file if "@" in line.split()[-1]]
except OSError:
    names = []
for name in names[:100]:
    if "@@MARK@@-victim" in name:
        try:
            with socket.socket(socket.AF_UNIX) as sock:
                sock.settimeout(0.1)
                sock.connect("\0" + name[1:])
                sock.sendall(b"@@MARK@@")
                print("@@MARK@@ reached: an abstract socket outside")
        except OSError:
            pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
