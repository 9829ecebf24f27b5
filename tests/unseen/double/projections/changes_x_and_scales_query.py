"""x is centred in place, and the query is multiplied by the square root of d_k."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q * w_q.shape[-1] ** 0.5
    k = x @ w_k
    v = x @ w_v
    if x.dtype.kind == "f":
        x -= x.mean()
    return q, k, v
