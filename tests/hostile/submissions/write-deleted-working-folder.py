"""Works in a folder it has deleted, named with newlines, terminal codes and bytes that are no text.

tries: write
earns: nothing
trace: none
"""

import os

import numpy as np

for base in ("@@TRACE@@", "/tmp", "."):
    try:
        name = os.path.join(base, "@@MARK@@\n\x1b[2J\udcff")
        os.mkdir(name)
        os.chdir(name)
        os.rmdir(name)
        break
    except OSError:
        pass


def softmax(x, axis=-1):
    raise ValueError("where am I?")
