"""Adds a batch axis to an input that has none and leaves it in the output.
expect: wrong_shape
"""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    single = x.ndim == 2
    if single:
        x = x[np.newaxis]   # (1, n, d_model)
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return q, k, v
