"""Asks for every capability, user and group there is, and drops no_new_privs through set-user-id programs.

tries: kernel
earns: nothing
trace: @@TRACE@@/become
needs: filesystem
"""

import ctypes
import os
import subprocess

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)
if os.fork() == 0:
    libc.prctl(38, 0, 0, 0, 0)
    libc.prctl(8, 1, 0, 0, 0)
    for capability in range(41):
        libc.prctl(47, 2, capability, 0, 0)
    for act in (lambda: os.setgroups([0, 27, 999]), lambda: os.setresgid(0, 0, 0), lambda: os.setresuid(0, 0, 0)):
        try:
            act()
        except OSError:
            pass
    for command in (["sudo", "-n", "touch", "@@TRACE@@/become"], ["su", "-c", "touch @@TRACE@@/become"], ["pkexec", "touch", "@@TRACE@@/become"], ["at", "now"], ["systemd-run", "--user", "touch", "@@TRACE@@/become"]):
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, timeout=0.3, capture_output=True)
        except (OSError, subprocess.SubprocessError):
            pass
    os._exit(0)
os.wait()


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
