"""The column-vector form W^T x, transposed back at the end."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x_t = np.swapaxes(x, -1, -2)
    q, k, v = (np.swapaxes(np.matmul(w.T, x_t), -1, -2) for w in (w_q, w_k, w_v))
    return q, k, v
