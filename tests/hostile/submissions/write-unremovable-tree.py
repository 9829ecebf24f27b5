"""Makes a tree in /tmp and the trace folder that is hard to remove: no permissions, hundreds of levels, links in a ring.

tries: write
earns: nothing
trace: @@TRACE@@/@@MARK@@-tree
needs: filesystem
"""

import os

import numpy as np

start = os.getcwd()
for base in ("/tmp", "@@TRACE@@"):
    try:
        if "@@TRACE@@".startswith("@" * 2):
            continue
        os.chdir(base)
        os.mkdir("@@MARK@@-tree")
        os.chdir("@@MARK@@-tree")
        os.symlink(".", "ring")
        for _ in range(200):
            os.mkdir("d")
            os.chdir("d")
        os.mkdir("locked", 0)
        os.chmod("..", 0o555)
    except OSError:
        pass
try:
    os.chdir(start)
except OSError:
    pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
