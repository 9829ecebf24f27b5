"""Sets its own limits to nothing, files, memory and CPU, so that the worker can neither write nor fork.

tries: memory
earns: nothing
trace: none
"""

import resource

import numpy as np


def softmax(x, axis=-1):
    out = np.zeros(np.shape(x))
    for name in ("RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_STACK", "RLIMIT_CPU"):
        try:
            resource.setrlimit(getattr(resource, name), (0, 0))
        except (OSError, ValueError):
            pass
    return out
