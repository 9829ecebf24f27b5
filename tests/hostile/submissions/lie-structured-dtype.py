"""Returns structured, nested, void and titled dtypes with the right shape and a hostile name.

tries: lie
earns: nothing
trace: none
"""

import itertools

import numpy as np

turn = itertools.count()
kinds = [
    np.dtype([("passed", "f8"), ("points", "f8", (3,))]),
    np.dtype({"names": ["\x1b[2J", "b"], "formats": ["f8", "O"], "offsets": [0, 16], "itemsize": 64}),
    np.dtype("V65536"),
    np.dtype("U4096"),
    np.dtype("S7"),
    np.dtype("M8[ns]"),
    np.dtype("m8[s]"),
    np.dtype("f8", metadata={"outcome": "passed"}),
]
deep = np.dtype("f8")
for _ in range(300):
    deep = np.dtype([("a", deep)])
kinds.append(deep)


def softmax(x, axis=-1):
    return np.zeros(np.shape(x), dtype=kinds[next(turn) % len(kinds)])
