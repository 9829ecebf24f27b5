"""Returns an object, in and out of containers and arrays, whose pickle would write a file when it is loaded.

tries: pickle
earns: nothing
trace: @@TRACE@@/pickle-reduce
"""

import itertools
import os

import numpy as np


class Payload:
    def __reduce__(self):
        return (os.system, ("touch @@TRACE@@/pickle-reduce",))

    __reduce_ex__ = lambda self, protocol: self.__reduce__()

    def __getstate__(self):
        return {"outcome": "passed"}


turn = itertools.cycle([Payload(), [Payload()], (Payload(),), np.array([Payload()], dtype=object)])


def softmax(x, axis=-1):
    return next(turn)
