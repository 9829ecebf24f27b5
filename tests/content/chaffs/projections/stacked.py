"""Stacks the three into one array, which needs d_k == d_v.
expect: exception
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    return np.stack([x @ w_q, x @ w_k, x @ w_v])
