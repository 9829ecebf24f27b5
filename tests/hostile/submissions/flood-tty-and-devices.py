"""Writes to /dev/tty, /dev/console, /dev/pts/*, /dev/stdout, syslog and the kernel log.

tries: flood
earns: nothing
trace: none
"""

import glob
import os

import numpy as np

text = b"\r\n@@MARK@@ wrote to your terminal\r\n"
for path in ["/dev/tty", "/dev/console", "/dev/kmsg", "/dev/stdout", "/dev/stderr", "/dev/ptmx", *glob.glob("/dev/pts/*")]:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        os.write(fd, text)
        os.close(fd)
    except OSError:
        pass
try:
    import syslog

    syslog.syslog("@@MARK@@")
except (ImportError, OSError):
    pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
