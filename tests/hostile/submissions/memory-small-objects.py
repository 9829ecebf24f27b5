"""Fills memory with small objects and keeps MemoryError from being seen.

tries: memory
earns: nothing
trace: none
hangs: call
"""

import time


def softmax(x, axis=-1):
    kept, stop = [], time.monotonic() + 60
    while time.monotonic() < stop and len(kept) < 20_000_000:
        try:
            kept.append((object(), {len(kept): [len(kept)]}))
        except MemoryError:
            pass
    return 0.0
