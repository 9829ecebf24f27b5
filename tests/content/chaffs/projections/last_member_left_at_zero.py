"""Loops over the first axis of x, whatever it is, and ends one too early.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = np.zeros((*x.shape[:-1], w_q.shape[1]))
    k = np.zeros((*x.shape[:-1], w_k.shape[1]))
    v = np.zeros((*x.shape[:-1], w_v.shape[1]))
    for i in range(len(x) - 1):
        q[i], k[i], v[i] = x[i] @ w_q, x[i] @ w_k, x[i] @ w_v
    return q, k, v
