"""Fails while it is imported with an exception whose traceback is a hundred thousand frames of made-up files.

tries: import
earns: nothing
trace: none
"""

import types


def frames(count):
    trace = None
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    for line in range(count):
        trace = types.TracebackType(trace, frame, 0, line * 7919 % 2**31)
    return trace


raise RuntimeError("deep").with_traceback(frames(100_000))
