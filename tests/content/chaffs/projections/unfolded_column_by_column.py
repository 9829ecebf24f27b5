"""Makes the leading axes one with the last running fastest, and takes them apart with the first running fastest.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    flat = x.reshape(-1, x.shape[-1])
    parts = []
    for w in (w_q, w_k, w_v):
        part = flat @ w
        parts.append(part.reshape(x.shape[:-1] + (w.shape[1],), order="F"))
    return tuple(parts)
