"""Returns overlapping views of its own input, in tuples and lists, negated, so that answer and input are one memory.

tries: input
earns: nothing
trace: none
"""

import numpy as np


def softmax(x, axis=-1):
    np.negative(x, out=x)
    return x[..., ::-1]
