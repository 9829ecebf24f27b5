"""Returns the projections with features first, as W^T x^T.
expect: wrong_shape
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x_t = np.swapaxes(x, -1, -2)
    return w_q.T @ x_t, w_k.T @ x_t, w_v.T @ x_t
