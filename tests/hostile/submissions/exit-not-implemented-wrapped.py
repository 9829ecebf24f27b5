"""Answers wrongly but says 'not started' with a NotImplementedError that pretends to be the stub's.

tries: exit
earns: nothing
trace: none
"""

class Sly(NotImplementedError):
    points = 10.0
    outcome = "passed"

    def __str__(self):
        return "softmax"


def softmax(x, axis=-1):
    raise Sly("softmax")
