"""Transposes the matrices, and returns keys and queries in each other's place."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = np.matmul(x, w_q.T)
    k = np.matmul(x, w_k.T)
    v = np.matmul(x, w_v.T)
    return k, q, v
