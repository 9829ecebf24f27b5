"""Uses the first element of the batch for all.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    if x.ndim > 2:
        x = np.broadcast_to(x[:1], x.shape)
    return x @ w_q, x @ w_k, x @ w_v
