"""Changes its argument's shape, dtype, strides and flags in place, and returns zeros.

tries: input
earns: nothing
trace: none
"""

import numpy as np


def softmax(x, axis=-1):
    shape = np.shape(x)
    for act in (
        lambda: setattr(x.flags, "writeable", True),
        lambda: x.resize((1,), refcheck=False),
        lambda: setattr(x, "dtype", np.dtype("u1")),
        lambda: setattr(x, "shape", (-1,)),
        lambda: setattr(x, "strides", (0,) * x.ndim),
        lambda: x.setflags(write=False),
    ):
        try:
            act()
        except (ValueError, AttributeError, TypeError):
            pass
    return np.zeros(shape)
