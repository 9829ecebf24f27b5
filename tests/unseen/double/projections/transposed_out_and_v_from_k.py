"""Queries and keys come out transposed AND the values are made with w_k."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = np.einsum("...nd,dk->...kn", x, w_q)
    k = np.einsum("...nd,dk->...kn", x, w_k)
    v = np.einsum("...nd,dk->...nk", x, w_k)
    return q, k, v
