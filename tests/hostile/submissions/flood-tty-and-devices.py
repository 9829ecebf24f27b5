"""Writes to /dev/tty, /dev/console, /dev/ptmx, /dev/full and what /dev/stdout stands for.

tries: flood
earns: nothing
trace: none
"""

import os

import numpy as np

text = b"\r\n@@MARK@@ wrote to your terminal\r\n"
for path in ["/dev/tty", "/dev/console", "/dev/stdout", "/dev/stderr", "/dev/ptmx", "/dev/full"]:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        os.write(fd, text)
        os.close(fd)
    except OSError:
        pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
