"""Returns a list of a million small arrays, each of which needs a header of its own.

tries: lie
earns: nothing
trace: none
"""

import numpy as np


def softmax(x, axis=-1):
    return [np.zeros(1)] * 1_000_000
