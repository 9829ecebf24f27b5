"""Allows core dumps and crashes, to leave its memory as a file in the current folder.

tries: memory
earns: nothing
trace: @@TRACE@@/core
"""

import ctypes
import os
import resource
import signal

try:
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
except (OSError, ValueError):
    pass
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)


def softmax(x, axis=-1):
    for place in ("@@TRACE@@", "/tmp"):
        try:
            os.chdir(place)
            break
        except OSError:
            pass
    os.kill(os.getpid(), signal.SIGABRT)
