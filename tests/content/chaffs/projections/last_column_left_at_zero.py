"""Its loop over the columns of a matrix ends one too early.
expect: wrong_value
"""
import numpy as np


def project(x, w):
    result = np.zeros((*x.shape[:-1], w.shape[1]))
    for column in range(w.shape[1] - 1):
        result[..., column] = x @ w[:, column]
    return result


def project_qkv(x, w_q, w_k, w_v):
    return project(x, w_q), project(x, w_k), project(x, w_v)
