"""The loop that makes the keys ends one token too early.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    keys = np.zeros((*x.shape[:-1], w_k.shape[1]))
    for i in range(x.shape[-2] - 1):
        keys[..., i, :] = x[..., i, :] @ w_k
    return x @ w_q, keys, x @ w_v
