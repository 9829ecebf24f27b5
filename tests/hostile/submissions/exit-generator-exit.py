"""Raises GeneratorExit, then StopIteration, then asyncio.CancelledError, a different one each call.

tries: exit
earns: nothing
trace: none
"""

import asyncio
import itertools

kinds = itertools.cycle([GeneratorExit, StopIteration, StopAsyncIteration, asyncio.CancelledError])


def softmax(x, axis=-1):
    raise next(kinds)()
