"""Returns a list that contains itself, and a tuple in a list in that tuple.

tries: lie
earns: nothing
trace: none
"""

import itertools

loop = []
loop.append(loop)
inner = []
ring = (inner, inner)
inner.append(ring)
turn = itertools.cycle([loop, ring, [loop, ring]])


def softmax(x, axis=-1):
    return next(turn)
