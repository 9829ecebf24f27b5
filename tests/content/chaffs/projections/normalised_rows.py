"""Normalises q and k to length 1.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    unit = lambda a: a / np.linalg.norm(a, axis=-1, keepdims=True)
    return unit(x @ w_q), unit(x @ w_k), x @ w_v
