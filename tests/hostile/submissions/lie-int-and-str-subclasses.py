"""Returns int, bool-like and str subclasses whose conversion methods raise, hang about or lie.

tries: lie
earns: nothing
trace: none
"""

import itertools


class Int(int):
    def __index__(self):
        raise SystemExit(0)

    __int__ = __bool__ = __str__ = __repr__ = __index__

    def to_bytes(self, *args, **kwargs):
        return b"\xff" * 100

    def bit_length(self):
        return -1


class Str(str):
    def encode(self, *args, **kwargs):
        return b"\xff" * (1 << 20)

    def __len__(self):
        return 2**62

    def __str__(self):
        raise SystemExit(0)


turn = itertools.cycle([Int(5), Str("passed"), (Int(1), Str("a")), [Int(0)]])


def softmax(x, axis=-1):
    return next(turn)
