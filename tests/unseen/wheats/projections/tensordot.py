"""Contracts the feature axis with tensordot."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    def contract(w):
        return np.tensordot(x, w, axes=([-1], [0]))

    return contract(w_q), contract(w_k), contract(w_v)
