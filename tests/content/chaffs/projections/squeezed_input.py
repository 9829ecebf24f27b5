"""X is squeezed first, so axes of length 1 disappear.
expect: wrong_shape
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x = np.squeeze(x)
    return x @ w_q, x @ w_k, x @ w_v
