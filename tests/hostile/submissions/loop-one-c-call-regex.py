"""Hangs inside the regex engine on a pattern that backtracks without end.

tries: loop
earns: nothing
trace: none
hangs: call
"""

import re


def softmax(x, axis=-1):
    return re.match(r"(a|a|aa)+$", "a" * 200 + "b")
