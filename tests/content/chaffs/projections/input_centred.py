"""Subtracts the mean of x in place.
expect: changed_input
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    if x.dtype.kind == "f":
        mean = x.mean()
        x -= mean
        return tuple((x + mean) @ w for w in (w_q, w_k, w_v))
    return tuple(np.matmul(x, w) for w in (w_q, w_k, w_v))
