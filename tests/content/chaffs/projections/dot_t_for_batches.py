"""Takes tokens for columns and turns everything round with .T, which for a batch is more than the last two axes.
expect: exception
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    columns = x.T
    return tuple(np.dot(w.T, columns).T for w in (w_q, w_k, w_v))
