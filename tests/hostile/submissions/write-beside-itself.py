"""Puts numpy.py, sitecustomize.py, conftest.py, a .pth and its own attention.py beside itself and on sys.path.

tries: write
earns: nothing
trace: none
needs: filesystem
"""

import os
import sys

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
places = [here] if os.path.basename(here) != "submissions" and not "@@TRACE@@".startswith("@" * 2) else []
names = ["@@MARK@@.pth", "@@MARK@@-sitecustomize.py", "numpy.py", "conftest.py", "sitecustomize.py", "usercustomize.py", "pytest.ini"]
for place in places:
    for name in names:
        path = os.path.join(place, name)
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            os.write(fd, b"# @@MARK@@ was here\n")
            os.close(fd)
        except OSError:
            pass
for place in sys.path:
    try:
        path = os.path.join(place, "@@MARK@@.pth")
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        print("@@MARK@@ reached: a folder on sys.path")
        os.unlink(path)
    except OSError:
        pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
