"""Loops for ever in Python.

tries: loop
earns: nothing
trace: none
hangs: call
"""

def softmax(x, axis=-1):
    while True:
        pass
