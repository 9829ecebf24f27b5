"""Exchanges the last two axes of x, and turns the results back with .T.
expect: wrong_shape
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    columns = np.swapaxes(x, -1, -2)
    q = w_q.T @ columns
    k = w_k.T @ columns
    v = w_v.T @ columns
    return q.T, k.T, v.T
