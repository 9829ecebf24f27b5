"""Hangs inside one C call that holds the interpreter lock: a power of huge integers.

tries: loop
earns: nothing
trace: none
hangs: call
"""

def softmax(x, axis=-1):
    return pow(10**9 + 7, 10**9) % 3
