"""Type hints, prints, a warning and a main block."""
import warnings
from typing import Tuple

import numpy as np

Array = np.ndarray


def project_qkv(x: Array, w_q: Array, w_k: Array, w_v: Array) -> Tuple[Array, Array, Array]:
    if x.dtype != np.float64:
        warnings.warn(f"x is {x.dtype}")
    for name, w in zip("qkv", (w_q, w_k, w_v)):
        print(f"w_{name}:", w.shape)
    q = np.inner(x, w_q.T)
    k = np.inner(x, w_k.T)
    v = np.inner(x, w_v.T)
    return q, k, v


if __name__ == "__main__":
    print(project_qkv(np.eye(2), np.eye(2), np.eye(2), np.ones((2, 3))))
