"""Fills arrays of the type of x, so float weights are lost on integer x.
expect: wrong_type
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    results = []
    for w in (w_q, w_k, w_v):
        out = np.zeros(x.shape[:-1] + (w.shape[1],), dtype=x.dtype)
        out[...] = x @ w
        results.append(out)
    return tuple(results)
