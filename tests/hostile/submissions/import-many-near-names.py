"""Defines thousands of names that are nearly softmax, to make 'did you mean' slow and its answer hostile.

tries: import
earns: nothing
trace: none
"""

for number in range(30_000):
    globals()[f"softma{number}x" + "softmax" * (number % 50)] = number
globals()["softmax\x1b[2J"] = globals()["softmax "] = globals()["s\u043eftmax"] = lambda x, axis=-1: x
globals()["Softmax" * 50_000] = None
