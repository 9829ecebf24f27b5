"""Log-sum-exp in the input's own precision; axis by keyword only."""
import numpy as np


def softmax(x, *, axis=-1):
    x = np.asarray(x)
    if x.dtype.kind != "f":
        x = x.astype(np.float64)
    top = x.max(axis=axis, keepdims=True)
    lse = top + np.log(np.exp(x - top).sum(axis=axis, keepdims=True))
    return np.exp(x - lse)
