"""Collects the sums of products in arrays of integers.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    results = []
    for w in (w_q, w_k, w_v):
        sums = np.zeros(x.shape[:-1] + (w.shape[1],), dtype=int)
        sums[...] = np.tensordot(x, w, axes=1)
        results.append(sums * 1.0)
    return tuple(results)
