"""The keys are made with the query matrix."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    queries = np.matmul(x, w_q)
    keys = np.matmul(x, w_q)
    values = np.matmul(x, w_v)
    return queries, keys, values
