"""Sends every signal there is to pid 1: a process with handlers, as Python has for SIGINT, does get some.

tries: signal
earns: nothing
trace: none
guarded: yes
"""

import os
import signal

import numpy as np


def only_in_a_sandbox():
    """Refuse wherever the trace directory can be seen: there, no namespace keeps the real machine apart."""
    outside = "@@TRACE@@"
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    if outside.startswith("@" * 2) or os.path.exists(outside) or len(seen) > 32:
        raise RuntimeError("refused: runs only in a pid and mount namespace")


def softmax(x, axis=-1):
    only_in_a_sandbox()
    for number in [*signal.valid_signals(), signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE, signal.SIGALRM]:
        if number != signal.SIGKILL:
            try:
                os.kill(1, number)
            except OSError:
                pass
    return np.zeros(np.shape(x))
