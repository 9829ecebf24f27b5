"""Returns a value whose type has a name of 50 MB, or one with terminal codes, or a name that raises.

tries: lie
earns: nothing
trace: none
"""

import itertools


class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit(0)

    def __repr__(cls):
        raise SystemExit(0)


turn = itertools.cycle(
    [
        type("A" * 50_000_000, (), {})(),
        type("\x1b[2J\x1b]0;passed\x07\u202eflow", (), {})(),
        Meta("Plain", (), {})(),
        type("\ud800", (), {})() if False else type("a\nOK: passed\n", (), {})(),
    ]
)


def softmax(x, axis=-1):
    return next(turn)
