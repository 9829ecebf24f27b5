"""Key and query change places, and the value matrix is transposed."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    a, b = x @ w_q, x @ w_k
    v = np.dot(x, w_v.T)
    return b, a, v
