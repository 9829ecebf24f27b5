"""Rounds to three digits.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    return tuple(np.round(x @ w, 3) for w in (w_q, w_k, w_v))
