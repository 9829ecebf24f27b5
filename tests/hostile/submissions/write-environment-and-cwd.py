"""Changes cwd, umask, environment, locale, timezone and sys.path for whatever runs after it.

tries: write
earns: nothing
trace: none
"""

import locale
import os
import sys
import time

import numpy as np

os.umask(0o777)
for place in ("@@TRACE@@", "/proc/self", "/"):
    try:
        os.chdir(place)
        break
    except OSError:
        pass
os.environ.update({"PYTHONPATH": "/tmp/@@MARK@@", "LD_PRELOAD": "/tmp/@@MARK@@.so", "TZ": "Pacific/Apia", "OMP_NUM_THREADS": "100000", "PYTHONSTARTUP": "/tmp/@@MARK@@"})
time.tzset()
sys.path[:] = ["/tmp/@@MARK@@"]
sys.argv[:] = []
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
