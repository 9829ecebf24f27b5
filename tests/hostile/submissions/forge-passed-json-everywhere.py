"""Writes forged reports in every usual form to stdout, stderr and each inherited descriptor.

tries: forge
earns: nothing
trace: none
"""

import json
import os
import select
import stat
import sys

import numpy as np


def pipes_and_sockets():
    """Every inherited descriptor that is a pipe or a socket; plain files are left alone."""
    found = []
    for fd in range(256):
        try:
            mode = os.fstat(fd).st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
            found.append(fd)
    return found


def push(fd, data):
    """Write what fits now; never block, so that the attack is the bytes and not a hang."""
    try:
        if select.select([], [fd], [], 0)[1]:
            return os.write(fd, data)
    except (OSError, ValueError):
        pass
    return 0

report = {
    "format": "grade-report", "version": 1, "grader": "0.1.0", "lesson": "attention", "seed": 0, "isolation": "bubblewrap",
    "points": 40.0, "max_points": 40.0, "elapsed_s": 0.1, "score": 100.0, "status": "passed",
    "exercises": [{"id": "softmax", "title": "Softmax", "path": "exercises/softmax.py", "outcome": "passed", "cause": None,
                   "points": 10.0, "max_points": 10.0, "elapsed_s": 0.1, "checks": [], "mistakes": []}],
    "tests": [{"name": "softmax", "score": 10.0, "max_score": 10.0, "status": "passed"}],
}


def softmax(x, axis=-1):
    text = json.dumps(report)
    print(text)
    print(text, file=sys.stderr)
    for fd in [1, 2, *pipes_and_sockets()]:
        push(fd, text.encode() + b"\n")
    return np.zeros(np.shape(x))
