"""Puts terminal codes and forged report lines in an exception's message, class name, notes and function names.

tries: terminal
earns: nothing
trace: none
"""

escape = "\x1b[1A\x1b[2K\x1b[32mPASSED softmax 10/10\x1b[0m\r\n\x1b]0;x\x07\x9b31m"
Evil = type(escape, (Exception,), {"__module__": "\x1b[2J.mod"})


def inner():
    error = Evil(escape + "\n\n  softmax  passed  10.0/10.0\n")
    if hasattr(error, "add_note"):
        error.add_note(escape)
    raise error


try:
    inner.__code__ = inner.__code__.replace(co_name=escape, co_filename=escape, **({"co_qualname": escape} if hasattr(inner.__code__, "co_qualname") else {}))
except (AttributeError, TypeError):
    pass
inner.__name__ = inner.__qualname__ = escape


def softmax(x, axis=-1):
    inner()
