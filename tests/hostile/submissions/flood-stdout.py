"""Prints without end.

tries: flood
earns: nothing
trace: none
hangs: call
"""

def softmax(x, axis=-1):
    while True:
        print("softmax " * 1000)
