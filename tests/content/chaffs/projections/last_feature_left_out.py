"""Leaves the last feature of x out of the values.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    v = np.zeros(x.shape[:-1] + (w_v.shape[1],))
    for i in range(x.shape[-1] - 1):
        v = v + x[..., i, None] * w_v[i]
    return x @ w_q, x @ w_k, v
