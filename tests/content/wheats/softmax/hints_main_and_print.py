"""Type hints, an extra keyword, a printed line, a warning and a main block."""
from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray


def softmax(x: ArrayLike, axis: int = -1, *, verbose: bool = True) -> NDArray[np.floating]:
    a = np.asarray(x)
    if a.dtype.kind in "iu":
        warnings.warn("softmax of integers: converting to float64")
        a = a.astype(np.float64)
    if verbose:
        print("softmax of shape", a.shape, "along", axis)
    e = np.exp(a - np.max(a, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


if __name__ == "__main__":
    print(softmax(np.array([1.0, 2.0, 3.0])))
