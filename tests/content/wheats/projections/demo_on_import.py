"""Runs a demonstration on import and keeps a helper nobody needs."""
import numpy as np


def unused(x):
    raise RuntimeError("never called")


def project_qkv(x, w_q, w_k, w_v):
    """q, k and v."""
    q = np.matmul(x, w_q)
    k = np.matmul(x, w_k)
    v = np.matmul(x, w_v)
    return q, k, v


for part in project_qkv(np.ones((2, 3)), np.eye(3), np.eye(3), np.eye(3)):
    print(part.shape)
