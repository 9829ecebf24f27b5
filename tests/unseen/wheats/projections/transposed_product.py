"""The product is written as the transpose of w^T times x^T."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x_t = np.swapaxes(x, -1, -2)

    def left(w):
        return np.swapaxes(w.T @ x_t, -1, -2)

    return left(w_q), left(w_k), left(w_v)
