"""Starts `sleep`, sh and python through subprocess, in new sessions, and does not wait for them.

tries: fork
earns: nothing
trace: none
"""

import subprocess
import sys

import numpy as np

for command in (["sleep", "120"], ["/bin/sh", "-c", "sleep 120 # @@MARK@@"], [sys.executable, "-c", "import time; time.sleep(120)", "@@MARK@@"]):
    try:
        subprocess.Popen(command, start_new_session=True, env={"MARK": "@@MARK@@", "PATH": "/usr/bin:/bin"}, close_fds=False)
    except OSError:
        pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
