"""A bias of 1 is added to the query, and the value uses the key matrix."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q + 1
    k = x @ w_k
    v = x @ w_k
    return q, k, v
