"""Projects each part from the one before, and adds a bias of 0.1 to each."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q + 0.1
    k = q @ w_k + 0.1
    v = k @ w_v + 0.1
    return q, k, v
