"""Raises an exception whose __str__ never returns, so that the message, not the call, hangs.

tries: exit
earns: nothing
trace: none
hangs: call
"""

class Slow(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def softmax(x, axis=-1):
    raise Slow
