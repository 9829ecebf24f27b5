"""The value matrix is transposed before it is used.
expect: exception
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = np.einsum("...i,ij->...j", x, w_q)
    k = np.einsum("...i,ij->...j", x, w_k)
    v = np.einsum("...i,ji->...j", x, w_v)
    return q, k, v
