"""Stops the clock: time.time, monotonic and perf_counter always give the same moment, then it loops.

tries: patch
earns: nothing
trace: none
hangs: call
"""

import datetime
import time

for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "time_ns", "monotonic_ns", "perf_counter_ns"):
    setattr(time, name, lambda: 0)
time.sleep = lambda seconds: None
datetime.datetime = type("Frozen", (), {"now": staticmethod(lambda *args: 0)})


def softmax(x, axis=-1):
    while True:
        pass
