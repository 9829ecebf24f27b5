"""Computes in float32.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x = np.asarray(x, dtype=np.float32)
    return tuple(x @ np.float32(w) for w in (w_q, w_k, w_v))
