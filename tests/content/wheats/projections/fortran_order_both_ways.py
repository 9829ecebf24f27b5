"""Makes the leading axes one with the first running fastest, and takes them apart in the same way."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    tokens = x.reshape((-1, x.shape[-1]), order="F")

    def shaped(w):
        return (tokens @ w).reshape((*x.shape[:-1], w.shape[-1]), order="F")

    return shaped(w_q), shaped(w_k), shaped(w_v)
