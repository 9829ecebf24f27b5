"""Splits one product into three equal parts, which is right only when d_k == d_v.
expect: exception
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    w = np.concatenate([w_q, w_k, w_v], axis=1)
    q, k, v = np.split(x @ w, 3, axis=-1)
    return q, k, v
