"""Each output column is a weighted sum of features, made one column at a time."""
import numpy as np


def _column(x, weights):
    return (x * weights).sum(axis=-1)


def project_qkv(x, w_q, w_k, w_v):
    def all_columns(w):
        return np.stack([_column(x, w[:, c]) for c in range(w.shape[1])], axis=-1)

    q = all_columns(w_q)
    k = all_columns(w_k)
    v = all_columns(w_v)
    return q, k, v
