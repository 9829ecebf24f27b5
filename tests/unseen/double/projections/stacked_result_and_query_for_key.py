"""The three are stacked into one array, and the key repeats the query."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_q
    v = x @ w_v
    return np.stack([q, k, v])
