"""Appends to the files a CI platform names in its environment: GITHUB_OUTPUT, GITHUB_ENV and others.

tries: write
earns: nothing
trace: @@TRACE@@/github-output
needs: filesystem
"""

import glob
import os

import numpy as np

lines = "@@MARK@@=1\n"
names = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STEP_SUMMARY", "GITHUB_STATE")
places = [os.environ[name] for name in names if name in os.environ]
places += glob.glob("/home/runner/*/_temp/_runner_file_commands/*") + glob.glob("@@TRACE@@/set_*")
for path in [*places, "@@TRACE@@/github-output"]:
    try:
        with open(path, "a") as file:
            file.write(lines)
    except OSError:
        pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
