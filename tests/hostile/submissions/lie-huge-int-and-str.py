"""Returns integers of a million digits and strings of 300 MB with lone surrogates.

tries: lie
earns: nothing
trace: none
"""

import itertools

turn = itertools.count()


def softmax(x, axis=-1):
    n = next(turn) % 4
    if n == 0:
        return 1 << 4_000_000
    if n == 1:
        return "\ud800" * 1000
    if n == 2:
        return "a" * 300_000_000
    return [-(1 << 63), 1 << 63, 1 << 64, 5e-324, -0.0, float("nan")]
