"""Right: peels off leading axes by recursion, keeps float32, normalises twice."""
import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x)
    axis = axis % x.ndim
    if axis > 0:
        return np.stack([softmax(part, axis - 1) for part in x])
    y = x if x.dtype.kind == "f" else x.astype(np.float64)
    e = np.exp(y - y.max(axis=0))
    e = e / e.sum(axis=0)
    print("sum before:", float(e.sum(axis=0).mean()))
    return e / e.sum(axis=0)
