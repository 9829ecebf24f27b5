"""Raises fresh warnings and log lines by the ten thousand, each with its own text and line.

tries: flood
earns: nothing
trace: none
"""

import logging
import warnings

import numpy as np


def softmax(x, axis=-1):
    warnings.simplefilter("always")
    for n in range(20_000):
        warnings.warn_explicit(f"warning {n} " + "w" * 500, RuntimeWarning, f"file{n}.py", n)
        logging.error("line %d %s", n, "l" * 500)
    return np.zeros(np.shape(x))
