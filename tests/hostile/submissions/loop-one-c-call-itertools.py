"""Hangs in C without memory: sum, deque, all or max over an endless iterator.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import collections
import itertools


def softmax(x, axis=-1):
    collections.deque(itertools.repeat(0), maxlen=0)
