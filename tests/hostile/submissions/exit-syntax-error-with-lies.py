"""Raises a SyntaxError of its own whose file, line, offset and text are false and of wrong types.

tries: exit
earns: nothing
trace: none
"""

class Lie:
    def __index__(self):
        raise SystemExit(0)

    __int__ = __str__ = __index__


error = SyntaxError("passed", ("/etc/shadow", 2**70, -(2**70), "\x1b[2J" * 1000))
error.lineno = Lie()
error.offset = [1]
error.text = 3.5
error.filename = b"/dev/zero"
raise error
