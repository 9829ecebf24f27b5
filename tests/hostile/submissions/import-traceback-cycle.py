"""Raises with a traceback that leads back into itself.

tries: import
earns: nothing
trace: none
"""

def softmax(x, axis=-1):
    try:
        raise ValueError("round")
    except ValueError as error:
        first = error.__traceback__
        try:
            raise KeyError("round")
        except KeyError as second:
            first.tb_next = second.__traceback__
            try:
                second.__traceback__.tb_next = first
            except ValueError:
                pass
            second.__context__ = error
            error.__context__ = second
            raise error.with_traceback(first) from second
