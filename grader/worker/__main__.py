"""The zygote: the first process in the sandbox. Imports numpy once, then forks a child for each exercise.

Started as ``python -I -S -B __main__.py CONFIG``, CONFIG being JSON: ``control`` (the socket to the judge),
``import_from`` (folders that hold our package and numpy), ``readable`` and ``listable`` (for Landlock, else empty).

    ["keep", key, frame]   a request that many children will get            -> ["done"]
    ["fork", limits] with three descriptors (channel, output, trace)  -> ["forked", pid]
    ["interrupt"]   write the line that is running to ``trace``       -> ["done"]
    ["cpu"]         CPU time of the child so far                      -> ["cpu", seconds]
    ["reap"]        end the child and whatever it left                -> ["ended", status, peak_kib, cpu_s]

One child at a time. The zygote forks before it has read a byte of a submission, so no child inherits another's.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import sys
import time
from typing import Any


def main(config: dict[str, Any]) -> None:
    """Makes ready, says so, and serves the judge until it hangs up."""
    sys.path[:0] = config["import_from"]
    import numpy as np

    import grader
    from grader import protocol
    from grader.worker import child, confine

    grader.__path__ = []  # nothing further is imported from where the judge and the suites may stand
    del sys.path[: len(config["import_from"])]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a signal with a handler reaches even the first process inside
    control = socket.socket(fileno=int(config["control"]))
    mapped_bytes = confine.mapped_bytes()
    children = open_children()
    streams = child.open_streams()
    landlock = 0
    if config["readable"]:
        landlock = confine.landlock(config["readable"], config["listable"])
    confine.prctl(confine.PR_SET_CHILD_SUBREAPER, 1)
    if confine.seccomp_available():  # written once, for all children
        for program in (confine.reading_filter(), confine.no_opening_filter()):
            bytes(program)
    gc.freeze()  # a child's collector then leaves these pages alone, so they stay shared
    control.sendall(protocol.encode(["ready", np.__version__, landlock, confine.seccomp_available()]))
    pid = 0
    kept: dict[int, Any] = {}
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 3)
        if not message:
            break
        size = protocol.LENGTH.size + protocol.LENGTH.unpack(message[: protocol.LENGTH.size])[0]
        while len(message) < size:
            message += control.recv(size - len(message))
        request = protocol.decode(message[protocol.LENGTH.size :])
        if request[0] == "fork":
            pid = os.fork()
            if pid == 0:
                status = 1
                try:
                    control.close()
                    if children is not None:
                        os.close(children)
                    limits = dict(request[1])
                    limits["address_bytes"] = mapped_bytes + limits["memory_bytes"]
                    child.serve(*descriptors, limits=limits, kept=kept, streams=streams)
                    status = 0
                finally:  # whatever happens, the child never becomes a second zygote
                    os._exit(status)
            for descriptor in descriptors:
                os.close(descriptor)
            reply = ["forked", pid]
        elif request[0] == "interrupt":
            with contextlib.suppress(ProcessLookupError):  # it ended by itself meanwhile
                os.kill(pid, signal.SIGUSR1)
            reply = ["done"]
        elif request[0] == "keep":
            kept[request[1]] = protocol.decode(request[2].tobytes()[protocol.LENGTH.size :])
            gc.freeze()
            reply = ["done"]
        elif request[0] == "cpu":
            reply = ["cpu", cpu_s(pid)]
        else:
            reply = ["ended", *reap(pid, children)]
            pid = 0
        control.sendall(protocol.encode(reply))
    if pid:
        reap(pid, children)


def cpu_s(pid: int) -> float:
    """CPU time that the child has used; infinite where the system has no clock for another process."""
    if sys.platform != "linux":
        return float("inf")
    try:
        return time.clock_gettime((~pid << 3) | 2)  # how Linux numbers the CPU clocks of processes
    except OSError:
        return float("inf")  # it ended by itself meanwhile


def open_children() -> int | None:
    """Opens the kernel's list of this process's children, while files may still be opened."""
    try:
        return os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY)
    except OSError:
        return None  # another system, or a kernel without the list: what a child leaves falls to init there


def reap(pid: int, children: int | None) -> tuple[int, int, float]:
    """Ends the child and every process it left behind.

    Returns:
        Wait status, peak memory in KiB and CPU time in seconds of the child.
    """
    if os.getpid() == 1:
        with contextlib.suppress(ProcessLookupError):  # nobody else is left in this namespace
            os.kill(-1, signal.SIGKILL)
    else:
        with contextlib.suppress(ProcessLookupError):  # it ended by itself meanwhile
            os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    # What the child left behind falls to the zygote, as subreaper: ended here, until there is none.
    while children is not None and (orphans := os.pread(children, 1 << 16, 0).split()):
        for orphan in orphans:
            with contextlib.suppress(ProcessLookupError):  # it ended by itself meanwhile
                os.kill(int(orphan), signal.SIGKILL)
        os.waitpid(-1, 0)
    return status, usage.ru_maxrss, usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
