"""Raises KeyboardInterrupt and SystemExit in the worker's own code from a second thread, again and again.

tries: exit
earns: nothing
trace: none
"""

import _thread
import ctypes
import threading
import time

import numpy as np

main = threading.main_thread().ident


def pester():
    stop = time.monotonic() + 20
    while time.monotonic() < stop:
        time.sleep(0.002)
        _thread.interrupt_main()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(main), ctypes.py_object(SystemExit))


def softmax(x, axis=-1):
    threading.Thread(target=pester, daemon=True).start()
    return np.zeros(np.shape(x))
