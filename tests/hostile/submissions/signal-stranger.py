"""Stops, renices, limits and kills a process outside that the test may have started as its victim.

tries: signal
earns: nothing
trace: none
needs: pid-namespace
victim: yes
"""

import glob
import os
import resource
import signal

import numpy as np

victims = []
try:
    with open("@@TRACE@@/victim.pid") as file:
        victims.append(int(file.read()))
except (OSError, ValueError):
    pass
for path in glob.glob("/proc/[0-9]*/cmdline"):
    try:
        with open(path, "rb") as file:
            if b"@@MARK@@-victim" in file.read():
                victims.append(int(path.split("/")[2]))
    except OSError:
        pass
for pid in victims:
    if pid in (0, 1, -1, os.getpid(), os.getppid()):
        continue
    for act in (
        lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
        lambda: os.sched_setaffinity(pid, {0}),
        lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)),
        lambda: os.kill(pid, signal.SIGTERM),
        lambda: os.kill(pid, signal.SIGKILL),
    ):
        try:
            act()
            print("@@MARK@@ reached: the victim")
        except OSError:
            pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
