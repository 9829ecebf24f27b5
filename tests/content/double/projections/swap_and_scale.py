"""Queries and keys are returned in swapped order, and the values are divided by sqrt(d_v)."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v / np.sqrt(w_v.shape[-1])
    return k, q, v
