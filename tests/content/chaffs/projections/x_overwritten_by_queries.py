"""Calls the queries x, so keys and values are made from them.
expect: exception
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x = np.matmul(x, w_q)
    keys, values = (np.matmul(x, w) for w in (w_k, w_v))
    return x, keys, values
