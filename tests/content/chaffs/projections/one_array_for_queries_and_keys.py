"""q and k are names of one array, so the queries are gone once the keys are there.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = k = np.zeros((*x.shape[:-1], w_q.shape[1]))
    q[...] = x @ w_q
    k[...] = x @ w_k
    return q, k, x @ w_v
