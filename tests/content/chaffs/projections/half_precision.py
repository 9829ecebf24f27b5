"""Computes in float16.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x = x.astype(np.float16)
    return tuple((x @ w.astype(np.float16)).astype(w.dtype) for w in (w_q, w_k, w_v))
