"""Defines no softmax but a module __getattr__ that hangs and a __dir__ full of hostile near-misses.

tries: lie
earns: nothing
trace: none
"""

import sys


def __dir__():
    return ["s0ftmax" + "x" * n for n in range(20_000)] + [3, None, "\x1b[2J"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise SystemExit(0)
