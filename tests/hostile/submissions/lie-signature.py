"""Gives the function a __signature__, __wrapped__ and __doc__ that raise, loop or lie when they are inspected.

tries: lie
earns: nothing
trace: none
"""

import functools

import numpy as np


class Callable:
    @property
    def __signature__(self):
        raise SystemExit(0)

    @property
    def __wrapped__(self):
        return Callable()

    @property
    def __name__(self):
        return "\x1b[2J" * 100_000

    @property
    def __code__(self):
        raise KeyboardInterrupt

    @property
    def __doc__(self):
        raise GeneratorExit

    @property
    def __defaults__(self):
        return (object(),) * 1000

    def __call__(self, x, axis=-1):
        return np.zeros(np.shape(x))


softmax = Callable()
