"""Centres each token, and divides the queries by the root of their width."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x = x - x.mean(axis=-1, keepdims=True)
    q = x @ w_q / np.sqrt(w_q.shape[1])
    return q, x @ w_k, x @ w_v
