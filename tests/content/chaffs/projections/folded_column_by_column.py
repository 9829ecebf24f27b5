"""Makes the leading axes one with the first running fastest, but puts the rows back the usual way.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    tokens = x.ravel(order="F").reshape((-1, x.shape[-1]), order="F")

    def shaped(w):
        return (tokens @ w).reshape(*x.shape[:-1], w.shape[-1])

    return shaped(w_q), shaped(w_k), shaped(w_v)
