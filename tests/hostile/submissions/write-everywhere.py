"""Writes a file to the trace folder, and one to each place where a program may usually write.

tries: write
earns: its own right answers
trace: @@TRACE@@/write-everywhere
needs: filesystem
"""

import os
import sys

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
places = ["@@TRACE@@/write-everywhere", "/tmp/@@MARK@@", "/var/tmp/@@MARK@@", "/dev/shm/@@MARK@@", "/run/@@MARK@@"]
fleeting = [os.path.expanduser("~/@@MARK@@"), "@@MARK@@", "../@@MARK@@", os.path.join(here, "@@MARK@@"), "/@@MARK@@", "/usr/@@MARK@@", os.path.join(sys.prefix, "@@MARK@@")]
for place in places:
    try:
        with open(place, "w") as file:
            file.write("pwned\n")
    except OSError:
        pass
for place in fleeting:
    try:
        os.close(os.open(place, os.O_CREAT | os.O_EXCL))
        print("@@MARK@@ reached:", place)
        os.unlink(place)
    except OSError:
        pass


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
