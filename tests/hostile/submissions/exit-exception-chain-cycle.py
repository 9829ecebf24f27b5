"""Raises an exception in a cycle of causes, with a group nested 50,000 deep in it.

tries: exit
earns: nothing
trace: none
"""

def softmax(x, axis=-1):
    first, second = ValueError("first"), TypeError("second")
    first.__cause__ = second
    second.__cause__ = first
    first.__context__ = first
    try:
        group = ValueError("core")
        for _ in range(50_000):
            group = ExceptionGroup("layer", [group])
        second.__context__ = group
    except NameError:
        pass
    raise first
