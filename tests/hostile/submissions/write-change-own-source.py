"""Rewrites its own source file between import and call, so that what is quoted is not what ran.

tries: write
earns: nothing
trace: none
needs: filesystem
"""

import os

import numpy as np


def softmax(x, axis=-1):
    try:
        with open(__file__, "r+") as file:
            text = file.read()
            if "@@TRACE@@".startswith("@" * 2):
                raise RuntimeError("refused: run by hand")
            file.seek(0)
            file.write(text.replace("np.zeros", "np.exp  "))
        os.chmod(__file__, 0)
    except OSError:
        pass
    raise ValueError("look at my source")
