"""Reuses the memory of x for the values when they have its shape and type.
expect: changed_input
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    if v.shape == x.shape and v.dtype == x.dtype:
        np.copyto(x, v)
        return q, k, x
    return q, k, v
