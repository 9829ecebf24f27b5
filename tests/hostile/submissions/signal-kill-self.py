"""Kills itself with SIGKILL, SIGSEGV, SIGTERM, SIGXCPU and SIGSYS, by the size of its input.

tries: signal
earns: nothing
trace: none
"""

import os
import signal

import numpy as np


def softmax(x, axis=-1):
    kinds = [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGXCPU, signal.SIGSYS, signal.SIGPIPE, signal.SIGALRM, signal.SIGUSR1]
    number = kinds[np.size(x) % len(kinds)]
    signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
    os.kill(os.getpid(), number)
