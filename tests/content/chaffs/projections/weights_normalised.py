"""Normalises the weight columns first.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    return tuple(x @ (w / np.abs(w).sum(axis=0)) for w in (w_q, w_k, w_v))
