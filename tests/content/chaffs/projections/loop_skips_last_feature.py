"""The sum over the features leaves out the last one.
expect: wrong_value
"""
import numpy as np


def project(x, w):
    d_model = x.shape[-1]
    total = 0
    for i in range(d_model - 1):
        total = total + x[..., i, np.newaxis] * w[i]
    return total + np.zeros(x.shape[:-1] + w.shape[1:], dtype=w.dtype)


def project_qkv(x, w_q, w_k, w_v):
    q = project(x, w_q)
    k = project(x, w_k)
    v = project(x, w_v)
    return q, k, v
