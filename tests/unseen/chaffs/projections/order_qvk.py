"""Returns the values before the keys."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    queries = np.matmul(x, w_q)
    keys = np.matmul(x, w_k)
    values = np.matmul(x, w_v)
    return queries, values, keys
