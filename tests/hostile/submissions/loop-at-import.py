"""Loops for ever while it is imported, catching everything that is raised in it.

tries: loop
earns: nothing
trace: none
hangs: import
"""

while True:
    try:
        while True:
            pass
    except BaseException:
        pass


def softmax(x, axis=-1):
    return x
