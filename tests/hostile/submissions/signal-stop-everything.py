"""Stops every process it may and its whole process group with SIGSTOP.

tries: signal
earns: nothing
trace: none
guarded: yes
hangs: call
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
    os.kill(-1, signal.SIGSTOP)
    os.kill(0, signal.SIGSTOP)
    return np.zeros(np.shape(x))
