"""Recurses for ever after raising the recursion limit to a thousand million, until the stack overflows.

tries: memory
earns: nothing
trace: none
hangs: call
"""

import sys
import threading

sys.setrecursionlimit(10**9 if sys.maxsize > 2**31 else 10**6)
try:
    threading.stack_size(16 * 1024 * 1024)
except ValueError:
    pass


class Deep:
    def __repr__(self):
        return repr([self])

    def __getattr__(self, name):
        return getattr(self, name + "x")


def softmax(x, axis=-1):
    try:
        return softmax(x, axis)
    except RecursionError:
        return repr(Deep())
