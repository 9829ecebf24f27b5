"""Returns np.matrix.
expect: wrong_type
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    return tuple(np.matrix(x) * np.matrix(w) for w in (w_q, w_k, w_v))
