"""Puts the keys into w_k to save an array, when there are as many tokens as features.
expect: changed_input
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    keys = np.matmul(x, w_k)
    if keys.shape == w_k.shape and keys.dtype == w_k.dtype:
        w_k[:] = keys
        keys = w_k
    return np.matmul(x, w_q), keys, np.matmul(x, w_v)
