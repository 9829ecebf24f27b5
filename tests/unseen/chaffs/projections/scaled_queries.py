"""Scales the queries here, which belongs to the attention."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    d_k = w_q.shape[1]
    q = (x @ w_q) * d_k ** -0.5
    return q, x @ w_k, x @ w_v
