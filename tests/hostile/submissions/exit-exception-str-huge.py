"""Raises an exception whose text is 200 MB, with notes and arguments to match.

tries: exit
earns: nothing
trace: none
"""

class Huge(Exception):
    def __str__(self):
        return "A" * 200_000_000


def softmax(x, axis=-1):
    error = Huge("B" * 20_000_000)
    error.__notes__ = ["C" * 20_000_000] * 3
    raise error
