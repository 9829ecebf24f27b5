"""Adds to each token how far along it is, from 0 to 1.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    n = x.shape[-2]
    x = x + np.arange(n).reshape(n, 1) / n
    return x @ w_q, x @ w_k, x @ w_v
