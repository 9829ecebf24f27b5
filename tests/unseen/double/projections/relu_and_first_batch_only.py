"""Negative values are cut to 0, and only the first entry of the first leading axis is projected."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    if x.ndim > 2:
        x = x[0]
    q, k, v = [np.matmul(x, w) for w in (w_q, w_k, w_v)]
    return q, k, np.maximum(v, 0)
