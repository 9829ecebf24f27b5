"""Raises every resource limit to its hard limit and beyond, then takes memory and files.

tries: memory
earns: nothing
trace: none
"""

import resource

import numpy as np

for name in dir(resource):
    if name.startswith("RLIMIT_"):
        for wanted in ((resource.RLIM_INFINITY,) * 2, (resource.getrlimit(getattr(resource, name))[1],) * 2):
            try:
                resource.setrlimit(getattr(resource, name), wanted)
            except (OSError, ValueError):
                pass


def softmax(x, axis=-1):
    kept = [bytearray(b"z") * 100_000_000 for _ in range(60)]
    return np.zeros(np.shape(x)) + len(kept)
