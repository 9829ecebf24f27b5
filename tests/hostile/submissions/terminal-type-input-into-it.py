"""Pushes characters into the controlling terminal (TIOCSTI, TIOCLINUX) and changes its modes and size.

tries: terminal
earns: nothing
trace: none
"""

import fcntl
import os
import struct
import termios

import numpy as np

for fd in (0, 1, 2):
    for act in (
        lambda: [fcntl.ioctl(fd, termios.TIOCSTI, bytes([byte])) for byte in b"# @@MARK@@"],
        lambda: fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 80, 0, 0)),
        lambda: fcntl.ioctl(fd, 0x541C, b"\x02\x00"),
        lambda: fcntl.ioctl(fd, termios.TIOCNOTTY),
    ):
        try:
            act()
        except OSError:
            pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
