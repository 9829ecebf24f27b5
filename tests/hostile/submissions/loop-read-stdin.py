"""Reads from standard input and from an empty pipe, like a program that asks the user.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import os


def softmax(x, axis=-1):
    try:
        input("your answer? ")
    except EOFError:
        pass
    reader, _writer = os.pipe()
    return os.read(reader, 1)
