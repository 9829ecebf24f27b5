"""Adds a bias of 0.1, and rounds to two digits."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    return tuple(np.round(x @ w + 0.1, 2) for w in (w_q, w_k, w_v))
