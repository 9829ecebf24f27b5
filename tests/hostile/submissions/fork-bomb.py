"""Doubles its processes, up to a thousand, each of which goes on forking for a while.

tries: fork
earns: nothing
trace: none
hangs: call
guarded: yes
"""

import os
import time

def take_name():
    """Carry the marker where /proc/PID/comm shows it, whatever the command line says."""
    try:
        with open("/proc/self/comm", "w") as comm:
            comm.write("@@MARK@@")
    except OSError:
        pass
    try:
        import ctypes

        ctypes.CDLL(None).prctl(15, b"@@MARK@@", 0, 0, 0)
    except Exception:
        pass


def only_in_a_sandbox():
    """Refuse wherever the trace directory can be seen: there, no namespace keeps the real machine apart."""
    outside = "@@TRACE@@"
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    if outside.startswith("@" * 2) or os.path.exists(outside) or len(seen) > 32:
        raise RuntimeError("refused: runs only in a pid and mount namespace")


def softmax(x, axis=-1):
    only_in_a_sandbox()
    stop = time.monotonic() + 20
    for _ in range(10):
        try:
            if os.fork() == 0:
                take_name()
        except OSError:
            pass
    while time.monotonic() < stop:
        time.sleep(0.1)
    os._exit(0)
