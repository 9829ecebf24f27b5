"""Answers rightly, but as a read-only, reversed, byte-swapped view in an odd memory order.

tries: lie
earns: its own right answers
trace: none
"""

import numpy as np


def honest(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax(x, axis=-1):
    out = honest(np.asarray(x, dtype=np.float64), axis)
    back = np.asfortranarray(out[..., ::-1].astype(">f8"))[..., ::-1]
    back.flags.writeable = False
    return back
