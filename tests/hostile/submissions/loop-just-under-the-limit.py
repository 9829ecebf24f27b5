"""Takes a little under a second for each wrong answer, to stretch the whole run.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import time

import numpy as np


def softmax(x, axis=-1):
    time.sleep(0.9)
    return np.zeros(np.shape(x))
