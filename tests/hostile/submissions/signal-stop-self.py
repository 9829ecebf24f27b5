"""Stops itself with SIGSTOP and SIGTSTP: alive, silent, without using any time.

tries: signal
earns: nothing
trace: none
hangs: call
"""

import os
import signal


def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGTSTP)
    return [0.0]
