"""Uses the first member of a batch for all, and adds x to the values where it fits."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    if x.ndim > 2:
        x = np.broadcast_to(x[:1], x.shape)
    v = x @ w_v
    if v.shape == x.shape:
        v = v + x
    return x @ w_q, x @ w_k, v
