"""Replaces itself by a shell that reads commands from the worker's pipe.

tries: fork
earns: nothing
trace: none
hangs: call
"""

import os


def softmax(x, axis=-1):
    for fd in range(256):
        try:
            os.set_inheritable(fd, True)
        except OSError:
            pass
    for shell in ("/bin/sh", "/bin/bash", "/usr/bin/sh", "/bin/busybox"):
        try:
            os.execve(shell, [shell, "-c", "sleep 60 # @@MARK@@"], {"MARK": "@@MARK@@"})
        except OSError:
            continue
