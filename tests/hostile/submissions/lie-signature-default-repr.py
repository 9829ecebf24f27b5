"""Has parameters whose default values and annotations exit or hang when they are shown.

tries: lie
earns: nothing
trace: none
"""

import os

import numpy as np


class Minus(int):
    def __repr__(self):
        os._exit(0)

    def __eq__(self, other):
        return True

    def __hash__(self):
        os._exit(0)


class Note:
    def __repr__(self):
        while True:
            pass


def softmax(x: Note() = Minus(-1), axis: Note() = Minus(-1), /, *args, **kwargs) -> Note():
    return np.zeros(np.shape(x))
