"""Queries and keys are scaled to length 1."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    def unit(a):
        length = np.sqrt((a ** 2).sum(-1, keepdims=True))
        return a / np.where(length == 0, 1, length)

    return unit(x @ w_q), unit(x @ w_k), x @ w_v
