"""Puts an object in place of its own module that makes a fresh function for every name asked for.

tries: patch
earns: nothing
trace: none
"""

import sys


class Chameleon:
    __name__ = "softmax"
    __file__ = "/etc/passwd"
    __path__ = ["/"]

    def __getattr__(self, name):
        return lambda *args, **kwargs: 0.0

    def __dir__(self):
        return ["softmax"] * 100_000


sys.modules[__name__] = Chameleon()
sys.modules["softmax"] = Chameleon()
