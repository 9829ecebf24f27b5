"""Multiplies the transposes: (w^T x^T)^T, with swapaxes for the leading axes."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    xt = np.swapaxes(x, -1, -2)

    def proj(w):
        return np.swapaxes(w.T @ xt, -1, -2)

    return proj(w_q), proj(w_k), proj(w_v)
