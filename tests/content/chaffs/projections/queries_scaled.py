"""Already divides the queries by sqrt(d_k).
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q / np.sqrt(w_q.shape[1])
    return q, x @ w_k, x @ w_v
