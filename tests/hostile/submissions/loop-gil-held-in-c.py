"""Calls libc's sleep and sigwait through a loader that keeps the interpreter lock.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import ctypes


def softmax(x, axis=-1):
    ctypes.PyDLL(None).sleep(120)
