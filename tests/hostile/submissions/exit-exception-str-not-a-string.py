"""Raises an exception whose __str__ gives a string subclass that lies about itself, or no string.

tries: exit
earns: nothing
trace: none
"""

import itertools


class Lie(str):
    def __len__(self):
        return -1

    def __str__(self):
        return self

    def encode(self, *args, **kwargs):
        return b"\xff" * 1000

    def __iter__(self):
        return itertools.repeat("a")

    def __getitem__(self, key):
        return self

    def replace(self, *args):
        return self

    def translate(self, *args):
        return self


class Odd(Exception):
    turn = itertools.count()

    def __str__(self):
        return Lie("\x1b[2Jpassed") if next(self.turn) % 2 == 0 else 7


def softmax(x, axis=-1):
    raise Odd
