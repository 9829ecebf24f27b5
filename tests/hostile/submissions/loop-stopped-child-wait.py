"""Waits for a child that has stopped itself and will never end.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import os
import signal
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


def softmax(x, axis=-1):
    pid = os.fork()
    if pid == 0:
        take_name()
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(120)
        os._exit(0)
    os.waitpid(pid, 0)
