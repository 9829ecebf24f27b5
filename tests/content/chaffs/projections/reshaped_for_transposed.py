"""Reshapes x where it should transpose it.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x_t = x.reshape(x.shape[:-2] + (x.shape[-1], x.shape[-2]))
    return tuple(np.swapaxes(w.T @ x_t, -1, -2) for w in (w_q, w_k, w_v))
