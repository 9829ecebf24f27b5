"""Waits for a lock it holds itself, in the main thread and in ten more.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import threading

lock = threading.Lock()


def softmax(x, axis=-1):
    lock.acquire()
    for _ in range(10):
        threading.Thread(target=lock.acquire).start()
    lock.acquire()
