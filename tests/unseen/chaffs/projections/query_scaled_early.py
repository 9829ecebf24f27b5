"""The query is already divided by the square root of d_k here."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = np.einsum("...nd,dk->...nk", x, w_q) / np.sqrt(w_q.shape[1])
    k = np.einsum("...nd,dk->...nk", x, w_k)
    v = np.einsum("...nd,dk->...nk", x, w_v)
    return q, k, v
