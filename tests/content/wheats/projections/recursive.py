"""Recursion over the leading axes."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    if x.ndim > 2:
        q, k, v = zip(*(project_qkv(part, w_q, w_k, w_v) for part in x))
        return np.stack(q), np.stack(k), np.stack(v)
    return x.dot(w_q), x.dot(w_k), x.dot(w_v)
